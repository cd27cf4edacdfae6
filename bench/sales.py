"""What the benchmarks over made-up sales have in common: how much is run."""

ROWS, QUICK_ROWS, QUICK_ROUNDS = 5_000_000, 1_000_000, 3
# what --quick runs
QUICK = "a fifth of the rows and fewer rounds"


def extent(chosen, rounds):
    """How many rows, and how many rounds of each query."""
    return (QUICK_ROWS, QUICK_ROUNDS) if chosen.quick else (ROWS, rounds)
