#!/usr/bin/python3
"""What goes wrong when a rule is taken out of the source, and which test sees it.

usage: mutations.py list                    the rules and their tests, tab-separated
       mutations.py apply NUMBER SOURCE     take one out of the files in this directory

The rules are in the files beside this one, by subject.  See script/mutate.
"""
import sys
from pathlib import Path

import blocks
import choice
import counting
import environments
import estimates
import evidence
import gather
import groups
import hashing
import hooks
import index
import merges
import pages
import remote
import rules
import run
import sets
import skipping
import states
import stored
import table_sets
from mutation import problem
from source import Tree

SUBJECTS = (
    hashing, environments, blocks, sets, states, stored, table_sets, counting,
    rules, merges, groups, choice, hooks, run, pages, gather, skipping, remote,
    index, evidence, estimates,
)
MUTATIONS = tuple(mutation for subject in SUBJECTS for mutation in subject.MUTATIONS)


def apply(mutation, root):
    """Changes the files; says what is not there just once."""
    for change in mutation.changes:
        tree = Tree(root)
        found = problem(change, tree)
        if found:
            raise SystemExit(found)
        place, = tree.find(change.old, change.in_function)
        (root / place.file.name).write_text(place.replaced(change.new), encoding='utf-8')


def main():
    match sys.argv[1:]:
        case ['list']:
            for mutation in MUTATIONS:
                print(mutation.rule, *mutation.tests, sep='\t')
        case ['apply', number, root]:
            apply(MUTATIONS[int(number)], Path(root))
        case _:
            raise SystemExit(__doc__)


if __name__ == '__main__':
    main()
