#!/usr/bin/env python3
"""Play a match of alea against Stockfish at a limited strength, and measure the difference.

    python3 tests/clients/match_stockfish.py --games 100 --elo 2400 --time 8+0.08 --pgn match.pgn

Each opening is played twice with colours changed. The clocks are kept here, from sending `go` to
reading `bestmove`; alea loses on time the moment its clock is below zero. Nothing is adjudicated but
the rules, and a draw at the cap of plies. Exit code 1 if alea lost on time, played an illegal move or
crashed.
"""

import argparse
import asyncio
import concurrent.futures
import math
import multiprocessing
import os
import shutil
import sys
import time

import chess
import chess.engine
import chess.pgn

PLY_CAP = 400
# For Stockfish only: it is not the one to be tested.
OPPONENT_MARGIN = 0.1
# How long after the end of its clock an engine is waited for.
PATIENCE = 20

# Common openings, six to ten plies, most of them about even.
OPENINGS = [
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6",
    "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1 f6e4",
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6",
    "e2e4 e7e5 g1f3 b8c6 f1b5 f8c5 c2c3 g8f6",
    "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d3 d7d6",
    "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8e7",
    "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 f3g5 d7d5 e4d5 c6a5",
    "e2e4 e7e5 g1f3 b8c6 d2d4 e5d4 f3d4 g8f6 d4c6 b7c6",
    "e2e4 e7e5 g1f3 b8c6 d2d4 e5d4 f3d4 f8c5 c1e3 d8f6",
    "e2e4 e7e5 g1f3 b8c6 b1c3 g8f6 f1b5 f8b4",
    "e2e4 e7e5 g1f3 g8f6 f3e5 d7d6 e5f3 f6e4 d2d4 d6d5",
    "e2e4 e7e5 g1f3 d7d6 d2d4 g8f6 b1c3 b8d7",
    "e2e4 e7e5 b1c3 g8f6 f2f4 d7d5",
    "e2e4 e7e5 f1c4 g8f6 d2d3 c7c6 g1f3 d7d5",
    "e2e4 e7e5 f2f4 e5f4 g1f3 d7d6 d2d4 g7g5",
    "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6",
    "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 g7g6",
    "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 b8c6",
    "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 e7e6",
    "e2e4 c7c5 g1f3 b8c6 d2d4 c5d4 f3d4 g8f6 b1c3 e7e5",
    "e2e4 c7c5 g1f3 b8c6 d2d4 c5d4 f3d4 g7g6 c2c4 f8g7",
    "e2e4 c7c5 g1f3 b8c6 f1b5 g7g6 e1g1 f8g7",
    "e2e4 c7c5 g1f3 e7e6 d2d4 c5d4 f3d4 a7a6",
    "e2e4 c7c5 g1f3 e7e6 d2d4 c5d4 f3d4 b8c6 b1c3 d8c7",
    "e2e4 c7c5 c2c3 g8f6 e4e5 f6d5 d2d4 c5d4",
    "e2e4 c7c5 b1c3 b8c6 g2g3 g7g6 f1g2 f8g7",
    "e2e4 e7e6 d2d4 d7d5 b1c3 f8b4 e4e5 c7c5",
    "e2e4 e7e6 d2d4 d7d5 b1c3 g8f6 c1g5 f8e7",
    "e2e4 e7e6 d2d4 d7d5 b1d2 g8f6 e4e5 f6d7",
    "e2e4 e7e6 d2d4 d7d5 e4e5 c7c5 c2c3 b8c6",
    "e2e4 e7e6 d2d4 d7d5 e4d5 e6d5 g1f3 g8f6",
    "e2e4 c7c6 d2d4 d7d5 b1c3 d5e4 c3e4 c8f5",
    "e2e4 c7c6 d2d4 d7d5 e4e5 c8f5 g1f3 e7e6",
    "e2e4 c7c6 d2d4 d7d5 e4d5 c6d5 c2c4 g8f6",
    "e2e4 d7d6 d2d4 g8f6 b1c3 g7g6 f2f4 f8g7",
    "e2e4 g7g6 d2d4 f8g7 b1c3 d7d6 c1e3 a7a6",
    "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 d2d4 g8f6",
    "e2e4 g8f6 e4e5 f6d5 d2d4 d7d6 g1f3 c8g4",
    "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7",
    "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c4d5 e6d5",
    "d2d4 d7d5 c2c4 e7e6 g1f3 g8f6 g2g3 f8e7",
    "d2d4 d7d5 c2c4 e7e6 b1c3 c7c5 c4d5 e6d5",
    "d2d4 d7d5 c2c4 c7c6 g1f3 g8f6 b1c3 d5c4",
    "d2d4 d7d5 c2c4 c7c6 g1f3 g8f6 b1c3 e7e6 e2e3 b8d7",
    "d2d4 d7d5 c2c4 c7c6 c4d5 c6d5 b1c3 g8f6",
    "d2d4 d7d5 c2c4 d5c4 g1f3 g8f6 e2e3 e7e6",
    "d2d4 d7d5 g1f3 g8f6 c1f4 e7e6 e2e3 c7c5",
    "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4 e2e3 e8g8",
    "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4 d1c2 d7d5",
    "d2d4 g8f6 c2c4 e7e6 g1f3 b7b6 g2g3 c8b7",
    "d2d4 g8f6 c2c4 e7e6 g1f3 f8b4 c1d2 d8e7",
    "d2d4 g8f6 c2c4 e7e6 g1f3 c7c5 d4d5 e6d5 c4d5 d7d6",
    "d2d4 g8f6 c2c4 g7g6 b1c3 f8g7 e2e4 d7d6 g1f3 e8g8",
    "d2d4 g8f6 c2c4 g7g6 b1c3 f8g7 e2e4 d7d6 f2f3 e8g8",
    "d2d4 g8f6 c2c4 g7g6 b1c3 d7d5 c4d5 f6d5 e2e4 d5c3",
    "d2d4 g8f6 c2c4 c7c5 d4d5 b7b5 c4b5 a7a6",
    "d2d4 g8f6 c1g5 f6e4 g5f4 c7c5",
    "d2d4 f7f5 g2g3 g8f6 f1g2 e7e6 g1f3 f8e7",
    "c2c4 e7e5 b1c3 g8f6 g1f3 b8c6 g2g3 d7d5",
    "c2c4 c7c5 g1f3 g8f6 b1c3 b8c6 g2g3 g7g6",
    "c2c4 g8f6 b1c3 e7e6 e2e4 d7d5 e4e5 d5d4",
    "g1f3 d7d5 g2g3 g8f6 f1g2 c7c6 e1g1 c8g4",
    "g1f3 g8f6 c2c4 g7g6 b1c3 d7d5 c4d5 f6d5",
    "b2b3 e7e5 c1b2 b8c6 e2e3 d7d5 f1b5 f8d6",
]


class Fault(Exception):
    """What ends a game at once: whose fault it was, and which."""

    def __init__(self, color, kind, detail):
        super().__init__(f"{kind}: {detail}")
        self.color = color
        self.kind = kind


def default_alea():
    target = os.environ.get("CARGO_TARGET_DIR", "target")
    return os.path.join(target, "release", "alea")


def parse_time(text):
    base, _, increment = text.partition("+")
    return float(base), float(increment or 0)


def ended(board):
    """Result and reason if the rules end the game here."""
    if board.is_checkmate():
        return ("0-1" if board.turn == chess.WHITE else "1-0"), "checkmate"
    if board.is_stalemate():
        return "1/2-1/2", "stalemate"
    if board.is_insufficient_material():
        return "1/2-1/2", "insufficient material"
    if board.halfmove_clock >= 100:
        return "1/2-1/2", "fifty moves"
    if board.is_repetition(3):
        return "1/2-1/2", "threefold repetition"
    if board.ply() >= PLY_CAP:
        return "1/2-1/2", f"cap of {PLY_CAP} plies"
    return None


def timed_move(engine, board, clocks, increment, margin, game):
    """A move, with the clock of its side moved on."""
    mover = board.turn
    limit = chess.engine.Limit(
        white_clock=max(clocks[chess.WHITE], 0.001),
        black_clock=max(clocks[chess.BLACK], 0.001),
        white_inc=increment,
        black_inc=increment,
    )
    start = time.perf_counter()
    try:
        result = engine.play(board, limit, game=game)
    except chess.engine.EngineTerminatedError as error:
        raise Fault(mover, "crash", error) from error
    except (asyncio.TimeoutError, TimeoutError) as error:
        raise Fault(mover, "loss on time", "no answer at all") from error
    except chess.engine.EngineError as error:
        raise Fault(mover, "illegal move", error) from error
    clocks[mover] -= time.perf_counter() - start
    if clocks[mover] < -margin:
        raise Fault(mover, "loss on time", f"{-clocks[mover]:.3f} s over")
    clocks[mover] += increment
    if result.move is None:
        raise Fault(mover, "illegal move", "no move")
    return result.move


def open_engines(arguments, alea_color):
    """Both engines by colour; `alea_color` is that of alea."""
    alea = chess.engine.SimpleEngine.popen_uci(arguments.alea, timeout=PATIENCE)
    engines = {alea_color: alea}
    try:
        alea.configure(dict(option.split("=", 1) for option in arguments.option))
        opponent = chess.engine.SimpleEngine.popen_uci(arguments.stockfish, timeout=PATIENCE)
        engines[not alea_color] = opponent
        if arguments.elo:
            opponent.configure({"UCI_LimitStrength": True, "UCI_Elo": arguments.elo})
    except BaseException:
        close(engines)
        raise
    return engines


def close(engines):
    for engine in engines.values():
        try:
            engine.quit()
        except (chess.engine.EngineError, asyncio.TimeoutError, TimeoutError):
            engine.close()


def play_game(arguments, number):
    """Game `number` from 0: two in a row share an opening and change colours."""
    alea_color = chess.WHITE if number % 2 == 0 else chess.BLACK
    board = chess.Board()
    for text in OPENINGS[number // 2 % len(OPENINGS)].split():
        board.push_uci(text)
    base, increment = parse_time(arguments.time)
    clocks = {chess.WHITE: base, chess.BLACK: base}
    engines = open_engines(arguments, alea_color)
    fault = None
    try:
        game = object()
        # Start-up and the hash table are not on the clock: greet the new game before it runs.
        for engine in engines.values():
            engine.play(board, chess.engine.Limit(depth=1), game=game)
        while (end := ended(board)) is None:
            margin = 0 if board.turn == alea_color else OPPONENT_MARGIN
            engine = engines[board.turn]
            board.push(timed_move(engine, board, clocks, increment, margin, game))
        result, reason = end
    except Fault as error:
        result = "0-1" if error.color == chess.WHITE else "1-0"
        fault, reason = error, str(error)
    finally:
        close(engines)

    record = chess.pgn.Game.from_board(board)
    names = {alea_color: "alea", not alea_color: f"Stockfish {arguments.elo or 'unlimited'}"}
    record.headers.update(
        Event="alea against Stockfish",
        Date=time.strftime("%Y.%m.%d"),
        Round=str(number + 1),
        White=names[chess.WHITE],
        Black=names[chess.BLACK],
        Result=result,
        TimeControl=f"{base:g}+{increment:g}",
        Termination=reason,
    )
    white_score = {"1-0": 1, "1/2-1/2": 0.5, "0-1": 0}[result]
    return {
        "number": number,
        "score": white_score if alea_color == chess.WHITE else 1 - white_score,
        "reason": reason,
        "plies": board.ply(),
        "white": alea_color == chess.WHITE,
        "fault": fault and (fault.kind, fault.color == alea_color),
        "pgn": str(record),
    }


def elo(score):
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return -400 * math.log10(1 / score - 1)


def interval(scores):
    """Mean, and the half-width of its 95 % interval, from the pairs that share an opening: their
    results depend on each other."""
    pairs = [
        (scores[number] + scores[number + 1]) / 2
        for number in range(0, max(scores) + 1, 2)
        if number in scores and number + 1 in scores
    ]
    samples = pairs if len(pairs) > 1 else list(scores.values())
    mean = sum(samples) / len(samples)
    if len(samples) < 2:
        return mean, math.inf
    variance = sum((sample - mean) ** 2 for sample in samples) / (len(samples) - 1)
    return mean, 1.96 * math.sqrt(variance / len(samples))


def elo_text(scores):
    mean, half = interval(scores)
    low, high = elo(mean - half), elo(mean + half)
    return f"{elo(mean):+.0f} (95 %: {low:+.0f} to {high:+.0f})"


def arguments_of(words):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--alea", default=default_alea(), help="its path")
    parser.add_argument(
        "--stockfish", default=shutil.which("stockfish") or "/usr/games/stockfish", help="its path"
    )
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--elo", type=int, default=2400, help="UCI_Elo; 0 for full strength")
    parser.add_argument("--time", default="8+0.08", help="base+increment in seconds")
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("--pgn", default="match.pgn", help="where the games are written")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="set in alea; repeatable"
    )
    arguments = parser.parse_args(words)
    parse_time(arguments.time)
    return arguments


def main():
    arguments = arguments_of(sys.argv[1:])
    for path in (arguments.alea, arguments.stockfish):
        if shutil.which(path) is None:
            print(f"{path} is no program")
            return 1
    for opening in OPENINGS:
        board = chess.Board()
        for text in opening.split():
            board.push_uci(text)
    scores, faults = {}, {}
    context = multiprocessing.get_context("spawn")
    start = time.monotonic()
    with concurrent.futures.ProcessPoolExecutor(
        arguments.concurrency, mp_context=context
    ) as pool, open(arguments.pgn, "w", encoding="utf-8") as pgn:
        games = [pool.submit(play_game, arguments, number) for number in range(arguments.games)]
        for done in concurrent.futures.as_completed(games):
            game = done.result()
            scores[game["number"]] = game["score"]
            if game["fault"]:
                faults[game["fault"]] = faults.get(game["fault"], 0) + 1
            pgn.write(game["pgn"] + "\n\n")
            pgn.flush()
            wins, draws, losses = (list(scores.values()).count(x) for x in (1, 0.5, 0))
            side = "white" if game["white"] else "black"
            print(
                f"game {game['number'] + 1:4} ({side}, {game['plies']} plies): {game['score']:g} by"
                f" {game['reason']}; +{wins} ={draws} -{losses} of {len(scores)}",
                flush=True,
            )
    if not scores:
        return 0
    count = lambda kind, of_alea: faults.get((kind, of_alea), 0)
    mean = sum(scores.values()) / len(scores)
    print(f"games        {len(scores)} in {time.monotonic() - start:.0f} s")
    print(f"score        +{wins} ={draws} -{losses}, {100 * mean:.1f} %")
    print(f"Elo          {elo_text(scores)}")
    bad = 0
    for kind in ("loss on time", "illegal move", "crash"):
        bad += count(kind, True)
        print(f"{kind:12} alea {count(kind, True)}, Stockfish {count(kind, False)}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
