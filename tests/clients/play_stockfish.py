#!/usr/bin/env python3
"""Drive alea through python-chess, as a GUI would: a game against Stockfish, and what comes with it.

    python3 tests/clients/play_stockfish.py [path of alea]

Needs the package `chess` and Stockfish, by apt or on the PATH. Prints a line for each check and exits
with 1 if any failed.
"""

import os
import shutil
import sys
import time

import chess
import chess.engine

MIDDLEGAME = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"
CHESS960_START = "brkrnqnb/pppppppp/8/8/8/8/PPPPPPPP/BRKRNQNB w KQkq - 0 1"
PLY_CAP = 400
# What a process may take beyond the time it was given, on a busy machine.
PATIENCE = 30


def default_alea():
    target = os.environ.get("CARGO_TARGET_DIR", "target")
    return os.path.join(target, "release", "alea")


def find_stockfish():
    return shutil.which("stockfish") or "/usr/games/stockfish"


def expect(condition, message):
    if not condition:
        raise AssertionError(message)


def timed_play(engine, board, clocks, increment):
    """A move with both clocks running, as a GUI keeps them."""
    limit = chess.engine.Limit(
        white_clock=clocks[chess.WHITE],
        black_clock=clocks[chess.BLACK],
        white_inc=increment,
        black_inc=increment,
    )
    mover = board.turn
    start = time.perf_counter()
    result = engine.play(board, limit)
    clocks[mover] += increment - (time.perf_counter() - start)
    expect(clocks[mover] > 0, f"{engine.id['name']} lost on time after {board.fen()}")
    return result.move


def whole_game(alea, stockfish):
    """White is alea; every other of its moves is played by the clocks, the rest by a fixed limit."""
    board = chess.Board()
    clocks = {chess.WHITE: 20.0, chess.BLACK: 20.0}
    per_move = [
        chess.engine.Limit(time=0.05),
        chess.engine.Limit(depth=6),
        chess.engine.Limit(nodes=5000),
    ]
    while not board.is_game_over(claim_draw=True) and board.ply() < PLY_CAP:
        if board.turn == chess.BLACK:
            move = stockfish.play(board, chess.engine.Limit(time=0.05)).move
        elif board.fullmove_number % 2:
            move = timed_play(alea, board, clocks, 0.1)
        else:
            limit = per_move[board.fullmove_number // 2 % len(per_move)]
            move = alea.play(board, limit).move
        # python-chess has refused illegal moves already.
        expect(move in board.legal_moves, f"{move} is illegal in {board.fen()}")
        board.push(move)
    expect(board.is_valid(), f"the game ended in {board.fen()}")
    outcome = board.outcome(claim_draw=True)
    if outcome is None:
        expect(board.ply() == PLY_CAP, "the game did not end")
        return f"unfinished after {PLY_CAP} plies"
    return f"{outcome.result()} by {outcome.termination.name.lower()} after {board.ply()} plies"


def analysis(alea, _):
    board = chess.Board(MIDDLEGAME)
    infos = alea.analyse(board, chess.engine.Limit(depth=8), multipv=3)
    expect(len(infos) == 3, f"{len(infos)} lines for MultiPV 3")
    first_moves = []
    scores = []
    for place, info in enumerate(infos, 1):
        expect(info.get("multipv") == place, f"line {place}: multipv {info.get('multipv')}")
        for key in ("score", "pv", "depth", "nodes", "time"):
            expect(key in info, f"line {place} has no {key}: {info}")
        expect(info["depth"] >= 8, f"line {place}: depth {info['depth']}")
        line = board.copy()
        for move in info["pv"]:
            expect(move in line.legal_moves, f"pv of line {place}: {move} in {line.fen()}")
            line.push(move)
        first_moves.append(info["pv"][0])
        scores.append(info["score"].relative)
    expect(len(set(first_moves)) == 3, f"the lines start with {first_moves}")
    expect(scores == sorted(scores, reverse=True), f"lines are not sorted: {scores}")
    return ", ".join(f"{move} {score}" for move, score in zip(first_moves, scores))


def chances(alea, _):
    expect("UCI_ShowWDL" in alea.options, "no option UCI_ShowWDL")
    alea.configure({"UCI_ShowWDL": True})
    told = []
    for fen, better in [
        (MIDDLEGAME, None),
        ("4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1", chess.WHITE),
        ("rnbqkbnr/pppppppp/8/8/8/8/8/4K3 w kq - 0 1", chess.BLACK),
    ]:
        info = alea.analyse(chess.Board(fen), chess.engine.Limit(depth=7))
        expect("wdl" in info, f"no wdl: {info}")
        wdl = info["wdl"].white()
        expect(wdl.wins + wdl.draws + wdl.losses == 1000, f"{wdl} does not add up")
        if better is not None:
            good, bad = (wdl.wins, wdl.losses) if better else (wdl.losses, wdl.wins)
            expect(good > 900 and bad < 50, f"{wdl} in {fen}")
        told.append(f"{wdl.wins}/{wdl.draws}/{wdl.losses}")
    return ", ".join(told)


def mate(alea, _):
    board = chess.Board("k7/8/1K6/8/8/8/8/4Q2R w - - 0 1")
    info = alea.analyse(board, chess.engine.Limit(depth=5))
    expect(info["score"].white().mate() == 1, f"score {info['score']}")
    board.push(info["pv"][0])
    expect(board.is_checkmate(), f"{info['pv'][0]} is no mate")
    return f"{info['pv'][0]}, {info['score'].white()}"


def root_moves(alea, _):
    board = chess.Board()
    wanted = [chess.Move.from_uci(text) for text in ("a2a3", "h2h4")]
    result = alea.play(board, chess.engine.Limit(depth=5), root_moves=wanted)
    expect(result.move in wanted, f"{result.move} is none of the root moves")
    return str(result.move)


def chess960(alea, stockfish):
    """python-chess sets UCI_Chess960; castling is king takes rook."""
    told = []
    for fen, move in [
        ("5k2/pppppppp/8/8/8/8/PPPPPPPP/6KR w K - 0 1", "g1h1"),
        ("5k2/8/8/8/8/8/PPPP4/1RK5 w Q - 0 1", "c1b1"),
        ("1rk3r1/8/8/8/8/8/8/5K2 b kq - 0 1", "c8g8"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1"),
    ]:
        board = chess.Board(fen, chess960=True)
        castling = chess.Move.from_uci(move)
        expect(board.is_castling(castling), f"{move} in {fen}")
        result = alea.play(board, chess.engine.Limit(depth=4), root_moves=[castling])
        expect(result.move == castling, f"{result.move}, wanted {move}, in {fen}")
        board.push(result.move)
        reply = alea.play(board, chess.engine.Limit(depth=4)).move
        expect(reply is None or reply in board.legal_moves, f"{reply} in {board.fen()}")
        told.append(move)
    board = chess.Board(CHESS960_START, chess960=True)
    castled = 0
    while not board.is_game_over(claim_draw=True) and board.ply() < 80:
        engine = alea if board.turn == chess.WHITE else stockfish
        move = engine.play(board, chess.engine.Limit(time=0.03)).move
        expect(move in board.legal_moves, f"{move} in {board.fen()}")
        castled += board.is_castling(move)
        board.push(move)
    return f"{' '.join(told)}, then {board.ply()} plies of a game with {castled} castlings"


def pondering(alea, _):
    """Two moves, the first reply as expected (ponderhit), the second not (stop and go)."""
    board = chess.Board()
    hits = []
    for as_expected in (True, False, True):
        result = alea.play(board, chess.engine.Limit(time=0.1), ponder=True)
        board.push(result.move)
        expect(result.ponder is not None, f"no move to ponder on after {board.fen()}")
        expect(result.ponder in board.legal_moves, f"ponder {result.ponder} in {board.fen()}")
        time.sleep(0.1)
        others = [move for move in board.legal_moves if move != result.ponder]
        board.push(result.ponder if as_expected else others[0])
        hits.append("hit" if as_expected else "miss")
    result = alea.play(board, chess.engine.Limit(time=0.1))
    expect(result.move in board.legal_moves, f"{result.move} in {board.fen()}")
    return ", ".join(hits)


def endless(alea, _):
    board = chess.Board(MIDDLEGAME)
    with alea.analysis(board) as running:
        depth = 0
        for info in running:
            depth = max(depth, info.get("depth", 0))
            if depth >= 6:
                break
        running.stop()
        best = running.wait()
    expect(best.move in board.legal_moves, f"best move {best.move}")
    return f"stopped at depth {depth}: {best.move}"


CHECKS = [
    ("whole game against Stockfish", whole_game),
    ("analysis with MultiPV 3", analysis),
    ("win, draw, loss", chances),
    ("mate in one", mate),
    ("root moves", root_moves),
    ("Chess960", chess960),
    ("pondering", pondering),
    ("endless analysis and stop", endless),
]


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else default_alea()
    if shutil.which(path) is None:
        print(f"{path} is no program; build it with cargo build --release")
        return 1
    failures = 0
    for name, check in CHECKS:
        # Fresh processes, so that one failure does not make the next.
        try:
            with chess.engine.SimpleEngine.popen_uci(
                path, timeout=PATIENCE
            ) as alea, chess.engine.SimpleEngine.popen_uci(
                find_stockfish(), timeout=PATIENCE
            ) as stockfish:
                print(f"ok      {name}: {check(alea, stockfish)}", flush=True)
        except Exception as error:  # Whatever it is, it is this check's failure.
            failures += 1
            print(f"FAILED  {name}: {type(error).__name__}: {error}", flush=True)
    print(f"{len(CHECKS) - failures} of {len(CHECKS)} checks passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
