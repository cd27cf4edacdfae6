"""The life of a random table with indexes of keys: values, and what they contain.

Values are made of few words, so that conditions are true of some rows: NULL and
repeated elements, empty and nested values, every operator of the operator classes of
keys, NOT, phrases, prefixes and weights, and paths of jsonb.
"""
from random import Random

from life import Life


class Source(Random):
    """Random numbers, and the number of words that values are made of."""

    def __init__(self, seed):
        super().__init__(seed)
        self.words = self.choice((30, 300, 3000))


def word(random):
    return f'w{min(random.randint(0, random.words), random.randint(0, random.words))}'


def elements(random, make):
    return [make() if random.random() < 0.93 else 'NULL' for _ in range(random.choice((0, 1, 1, 2, 3, 6)))]


def array(random, make):
    some = elements(random, make)
    if some and random.random() < 0.1:
        return f"{{{{{','.join(some)}}},{{{','.join(reversed(some))}}}}}"
    return f"{{{','.join(some)}}}"


def integer(random):
    return str(random.choice((random.randint(-3, 60), random.randint(0, 60000))))


def number(random):
    n = random.randint(0, 30)
    return random.choice((str(n), f'{n}.0', f'{n}.50', f'{n}e0'))


def scalar(random):
    return random.choice((lambda: f'"{word(random)}"', lambda: f'"{word(random)}"', lambda: number(random), lambda: 'true',
                          lambda: 'false', lambda: 'null', lambda: '""'))()


def document(random, depth=0):
    what = random.random()
    if depth > 2 or what < 0.3:
        return scalar(random)
    inner = [document(random, depth + 1) for _ in range(random.choice((0, 1, 1, 2, 3)))]
    if what < 0.55:
        return f"[{', '.join(inner)}]"
    return '{' + ', '.join(f'"{word(random)}": {value}' for value in inner) + '}'


def words(random):
    """A tsvector, some of whose words have positions and weights."""
    some = []
    for position in range(random.choice((0, 1, 3, 3, 8))):
        place = random.choice(('', f':{position + 1}', f":{position + 1}{random.choice('ABCD')}"))
        some.append(word(random) + place)
    return ' '.join(some)


def search(random, depth=0):
    """A tsquery."""
    what = random.random()
    if depth > 3 or what < 0.4:
        return word(random) + random.choice(('', '', '', '', ':*', ':A', ':BC', ':*D'))
    if what < 0.55:
        return f'!({search(random, depth + 1)})'
    operator = random.choice((' & ', ' & ', ' | ', ' <-> ', ' <2> '))
    return f'({search(random, depth + 1)}{operator}{search(random, depth + 1)})'


def path(random):
    steps = ''.join(random.choice((f'.{word(random)}', f'.{word(random)}', '[*]', '.*', '.**', '[0]', f'."{word(random)}"'))
                    for _ in range(random.randint(0, 3)))
    return random.choice(('', 'lax ', 'strict ')) + '$' + steps


def test(random, depth=0):
    """A condition of jsonpath on @."""
    if depth < 2 and random.random() < 0.4:
        return (random.choice(('(%s) && (%s)', '(%s) || (%s)', '!(%s) && (%s)'))
                % (test(random, depth + 1), test(random, depth + 1)))
    inner = random.choice(('@', f'@.{word(random)}', '@[*]'))
    return random.choice((f'{inner} == {scalar(random)}', f'{inner} == {scalar(random)}', f'{inner} != {scalar(random)}',
                          f'exists({inner})', f'{inner} > 5', f'{inner} starts with "w1"'))


def predicate(random):
    """A jsonpath for @@."""
    inner = test(random).replace('@', path(random).split(' ')[-1])
    return random.choice(('', 'lax ', 'strict ')) + inner


def filtered(random):
    """A jsonpath for @?."""
    return path(random) + random.choice(('', f' ? ({test(random)})', f' ? ({test(random)})'))


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def some(random, make, kind):
    values = ', '.join(random.choice((quoted(make()),) * 5 + ('NULL',)) for _ in range(random.randint(0, 4)))
    return f'ANY (ARRAY[{values}]::{kind}[])'


def array_condition(random, column, make, kind):
    value = quoted(array(random, make))
    return f"{column} {random.choice(('@>', '@>', '&&', '&&', '<@', '='))} {value}::{kind}"


def text_array_condition(random, column):
    return array_condition(random, column, lambda: word(random), 'text[]')


def int_array_condition(random, column):
    return array_condition(random, column, lambda: integer(random), 'int[]')


def numeric_array_condition(random, column):
    return array_condition(random, column, lambda: number(random), 'numeric[]')


def words_condition(random, column):
    if random.random() < 0.2:
        return f"{column} @@ {some(random, lambda: search(random), 'tsquery')}"
    return f'{column} @@ {quoted(search(random))}::tsquery'


def document_condition(random, column):
    return random.choice((
        lambda: f'{column} @> {quoted(document(random))}::jsonb', lambda: f'{column} @> {quoted(document(random))}::jsonb',
        lambda: f"{column} @> {some(random, lambda: document(random), 'jsonb')}", lambda: f'{column} ? {quoted(word(random))}',
        lambda: f"{column} ? {some(random, lambda: word(random), 'text')}",
        lambda: f'{column} ?| {quoted(array(random, lambda: word(random)))}::text[]',
        lambda: f'{column} ?& {quoted(array(random, lambda: word(random)))}::text[]',
        lambda: f'{column} @? {quoted(filtered(random))}::jsonpath',
        lambda: f'{column} @@ {quoted(predicate(random))}::jsonpath'))()


# Types, how a value and a condition are made, and the operator classes.
TYPES = (
    ('text[]', lambda random: array(random, lambda: word(random)), text_array_condition, ('array_key_ops',)),
    ('int[]', lambda random: array(random, lambda: integer(random)), int_array_condition, ('array_key_ops',)),
    ('numeric[]', lambda random: array(random, lambda: number(random)), numeric_array_condition, ('array_key_ops',)),
    ('tsvector', words, words_condition, ('tsvector_key_ops',)),
    ('jsonb', document, document_condition, ('jsonb_key_ops', 'jsonb_path_key_ops')))


# Different values that a statement makes.
POOL = 12


class KeyLife(Life):
    """As Life; some columns are of types with keys, and indexes hold these."""

    def __init__(self, seed):
        super().__init__(seed)
        self.random = Source(seed)
        self.keyed = {}
        for i in range(self.random.randint(1, 3)):
            kind = self.random.choice(TYPES)
            self.keyed[i] = kind
            self.columns.insert(i, (kind[0], ''))

    def value(self, column, number):
        if column not in self.keyed:
            return super().value(column, number)
        kind, make = self.keyed[column][:2]
        pool = ', '.join(f'({n}, {quoted(make(self.random))}::{kind})' for n in range(POOL))
        return f'(SELECT v FROM (VALUES {pool}) AS pool (n, v) WHERE n = ({number}) % {POOL})'

    def create_index(self, concurrently):
        self.indexes += 1
        columns = self.random.sample(range(len(self.columns)), self.random.randint(1, len(self.columns)))
        first = self.random.choice(list(self.keyed))
        items = [f'c{c} {self.random.choice(self.keyed[c][3])}' if c in self.keyed else f'c{c}'
                 for c in [first] + [c for c in columns if c != first]]
        where = self.random.choice(('',) * 4 + (' WHERE id % 3 = 0', ' WHERE id > 1000'))
        rate = self.random.choice(('',) * 3 + (' WITH (false_positive_rate = 0.1)', ' WITH (false_positive_rate = 0.00001)'))
        return (f'CREATE INDEX {concurrently}{self.name}_{self.indexes}_bf ON {self.name} USING bloomfilter '
                f'({", ".join(items)}){rate}{where}')

    def comparison(self):
        i = self.random.randrange(len(self.columns))
        if i in self.keyed:
            return self.keyed[i][2](self.random, f'c{i}')
        return self.comparison_of(i)
