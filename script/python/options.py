"""The options that measuring scripts have in common."""

import argparse
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HIDDEN = argparse.SUPPRESS          # from --help: between scripts
REPORT = "measures nothing: writes the tables and pages again from the results that are kept"


def parser(name, description, groups):
    """A parser that knows --only, and what the script itself adds."""
    result = argparse.ArgumentParser(prog=name, description=description)
    result.add_argument("--only", metavar="GROUP[,GROUP...]", default=",".join(groups),
                        help="only these groups: " + ", ".join(groups))
    result.add_argument("--root", type=Path, default=ROOT, help=HIDDEN)
    result.add_argument("--commit", default="unknown", help=HIDDEN)
    return result


def parse(options, groups):
    """The arguments, with the chosen groups as a list."""
    chosen = options.parse_args()
    chosen.only = chosen.only.split(",")
    unknown = set(chosen.only) - set(groups)
    if unknown:
        options.error(f"no such group: {', '.join(sorted(unknown))}")
    return chosen
