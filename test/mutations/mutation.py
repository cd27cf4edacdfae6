"""What a mutation is: pieces of the source, in the place of which others stand.

A piece is found by its C tokens, so white space, line breaks, comments and the
file it is in do not matter.  It must be in src/ exactly once, or else exactly
once in the function that is named.
"""
from dataclasses import dataclass

from source import words_of


@dataclass
class Change:
    old: str
    new: str
    in_function: str | None = None


@dataclass
class Mutation:
    """tests: those that must fail, each by itself: names of regression tests,
    isolation, random (queries), or the names of TAP tests"""
    rule: str
    changes: tuple
    tests: tuple


def one(rule, old, new, *tests, in_function=None):
    return Mutation(rule, (Change(old, new, in_function),), tests)


def several(rule, changes, *tests):
    return Mutation(rule, tuple(Change(*change) for change in changes), tests)


def problem(change, tree):
    """Why it cannot be made, or None."""
    if words_of(change.old) == words_of(change.new):
        return f'changes nothing: {change.old}'
    places = tree.find(change.old, change.in_function)
    if len(places) == 1:
        return None
    where = f' in {change.in_function}()' if change.in_function else ''
    lines = [f'{len(places)} times{where}: {change.old}']
    if places:
        lines += [f'  {place}' for place in places]
    else:
        lines.append(f'  the nearest is {tree.nearest(change.old)}')
    return '\n'.join(lines)
