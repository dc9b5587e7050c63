#!/usr/bin/env python3
"""Recount tests/data/perft/blender.tsv with pyffish, Fairy-Stockfish's move generator.

    python3 tests/clients/perft_pyffish.py          every row; exit status 1 if a count differs
    python3 tests/clients/perft_pyffish.py --make   print rows of new random positions

Needs the package `pyffish`, in a build with large boards (0.0.90 of PyPI is one). It knows how the
compound men move, and nothing of merging and parting: so the counts are those of plain moves, in
positions where no pawn can arrive within the depth.
"""

import argparse
import pathlib
import random
import re
import sys

import pyffish

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
ROWS = DATA / "perft" / "blender.tsv"
# The men of each game's random positions; the start's own, and others.
SETS = {
    "blender": ["rnbqkbnr", "rmbckanr", "rqmakcqr", "cabmkbac", "rnbqkamr", "nnbckqbb"],
    "blender-nightrider": ["rhbqkbhr", "rusvkhnr", "hnsqkvuh", "rvbukahr", "ranqkuhr", "shhvkuhm"],
    "blender100": ["rnbaqkcbnr", "rcmaqkcmnr", "aabmqkcbcc", "rnmbqkambr"],
    "blender100-nightrider": ["rnhsqkuvhr", "ruvhqkshnr", "hnbsqkvbuh", "rhhaqkchhr"],
}
DEPTH = 3
MOST = 60_000


def perft(variant, fen, depth):
    moves = pyffish.legal_moves(variant, fen, [])
    if depth == 1:
        return len(moves)
    return sum(perft(variant, pyffish.get_fen(variant, fen, [m]), depth - 1) for m in moves)


def theirs(fen):
    """Fairy-Stockfish has a letter for each way of moving, whatever a man is made of."""
    return fen.replace("+", "")


def ours(variant, fen, rng):
    """The same men with the game's names: merged ones, or originals where there are some."""
    board, rest = fen.split(" ", 1)
    originals = "qacQAC" if variant.startswith("blender100") else "qQ"

    def name(match):
        letter = match.group()
        original = letter in originals and rng.random() < 0.5
        return letter if original else "+" + letter

    return re.sub("[qacmhuvsQACMHUVS]", name, board) + " " + rest


def too_far(variant, fen):
    """Whether a pawn might arrive within the depth."""
    ranks = fen.split(" ")[0].split("/")
    steps = DEPTH // 2 + 1
    return any("P" in rank for rank in ranks[:steps + 1]) or any(
        "p" in rank for rank in ranks[-steps - 1:]
    )


def make():
    rng = random.Random(5)
    for variant, sets in SETS.items():
        for men in sets:
            for plies in (0, 9, 18, 31, 44):
                files = len(men)
                empty = "/".join([str(files)] * (files - 4))
                fen = f"{men}/{'p' * files}/{empty}/{'P' * files}/{men.upper()} w KQkq - 0 1"
                for _ in range(plies):
                    moves = pyffish.legal_moves(variant, fen, [])
                    rng.shuffle(moves)
                    after = (pyffish.get_fen(variant, fen, [move]) for move in moves)
                    fen = next((f for f in after if not too_far(variant, f)), fen)
                counts = []
                for depth in range(1, DEPTH + 1):
                    counts.append(perft(variant, fen, depth))
                    if counts[-1] * counts[0] > MOST:
                        break
                print(variant, ours(variant, fen, rng), " ".join(map(str, counts)), sep="\t")
                sys.stdout.flush()


def recount():
    wrong = rows = 0
    for line in ROWS.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        variant, fen, counts = line.split("\t")
        rows += 1
        for depth, count in enumerate(map(int, counts.split()), 1):
            found = perft(variant, theirs(fen), depth)
            if found != count:
                wrong += 1
                print(f"{variant}: perft {depth} of {fen} is {found}, not {count}")
    print(f"{rows} rows, {wrong} counts differ")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--make", action="store_true", help="print rows of new random positions")
    arguments = parser.parse_args()
    for name in ("variants.ini", "nightriders.ini"):
        pyffish.load_variant_config((DATA / "fairy" / name).read_text())
    if arguments.make:
        make()
    else:
        sys.exit(recount())


if __name__ == "__main__":
    main()
