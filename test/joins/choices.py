"""What random queries are made with: decisions, and what they are about."""
import random
from dataclasses import dataclass, field

from tables import FAMILIES


class Choices:
    """Decisions: new ones from a seed, or those of a list, and then always 0."""

    def __init__(self, seed=None, given=None):
        self.random = random.Random(seed) if given is None else None
        self.given = given or []
        self.made = []

    def below(self, count):
        if self.random:
            number = self.random.randrange(count)
        else:
            place = len(self.made)
            number = min(self.given[place], count - 1) if place < len(self.given) else 0
        self.made.append(number)
        return number

    def chance(self, percent):
        return self.below(100) >= 100 - percent

    def pick(self, choices):
        return choices[self.below(len(choices))]


@dataclass
class Column:
    """raw: a column of a table that no grouping has touched"""
    sql: str
    family: str
    raw: bool = True

    @property
    def shown(self):
        return FAMILIES[self.family].shown.format(self.sql)


@dataclass
class Relation:
    """Something that may stand in FROM."""
    sql: str
    columns: list
    joined: bool = False

    @property
    def enclosed(self):
        return f'({self.sql})' if self.joined else self.sql


@dataclass
class Query:
    """text: the query, with $1 where mode is prepared; mode: how to run it;
    settings: those that shape the plan; volatile: it calls nextval();
    sampled: it has samples, other ones each time; target: the tables that it
    writes; between: what happens between two executions."""
    text: str
    mode: str
    settings: dict
    volatile: bool
    sampled: bool
    target: str = ''
    between: str = ''
    choices: list = field(default_factory=list)


class Limits(Exception):
    """The query would have become too large."""
