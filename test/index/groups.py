"""The life of a random table whose index has many groups.

A group of an index of arrays with many keys ends early where there is little
memory.  So covers are made, left by their last group, completed, merged, worn
and made anew.
"""
from life import Life, TYPES

# Keys of a row, and rows at first: these make more groups than are needed for covers.
KEYS, FIRST_ROWS = 30, 28_000
NARROW = tuple(entry for entry in TYPES if entry[0] in ('int', 'bigint', 'text', 'date', 'timestamptz'))


class GroupLife(Life):
    """As Life; the first column is an array, and the first index has its keys."""

    def __init__(self, seed):
        super().__init__(seed)
        self.kind = self.random.choice(('plain', 'plain', 'unlogged'))
        self.columns = [('int[]', f'ARRAY(SELECT (%s) * {KEYS} + i FROM generate_series(0, {KEYS - 1}) i)'), self.random.choice(NARROW)]
        self.pad = self.random.choice((130, 200))

    def create(self):
        yield f'CREATE {"UNLOGGED " if self.kind == "unlogged" else ""}TABLE {self.name} (id int, c0 int[], c1 {self.columns[1][0]}, pad text)' \
            ' WITH (autovacuum_enabled = off)'
        yield self.rows_from(0, FIRST_ROWS)
        yield f'ANALYZE {self.name}'
        yield self.create_index('')

    def create_index(self, concurrently):
        self.indexes += 1
        columns = self.random.choice(('c0 array_key_ops', 'c0 array_key_ops', 'c0 array_key_ops, c1', 'c1, c0 array_key_ops'))
        where = self.random.choice(('',) * 5 + (' WHERE id > 1000',))
        return f'CREATE INDEX {concurrently}{self.name}_{self.indexes}_bf ON {self.name} USING bloomfilter ({columns}){where}'

    def rows_from(self, first, count):
        self.rows += count
        return (f"INSERT INTO {self.name} SELECT g, {self.value(0, 'g')}, {self.value(1, 'g')}, repeat('x', {self.pad}) "
                f'FROM generate_series({first}, {first + count - 1}) g')

    def insert(self):
        return self.rows_from(self.random.randint(0, 60_000), self.random.choice((10, 300, 3_000, 9_000)))

    def changes(self):
        if self.random.random() < 0.4:
            yield f'VACUUM {self.name}'
        else:
            yield from super().changes()

    def keys(self, least, most):
        """Some that rows have, or had, or that none ever has."""
        numbers = [self.random.choice((self.random.randint(0, FIRST_ROWS), self.random.randint(0, 10**7)))
                   for _ in range(self.random.randint(least, most))]
        return ', '.join(str(number * KEYS + self.random.randrange(KEYS)) for number in numbers)

    def comparison_of(self, i):
        if i > 0:
            return super().comparison_of(i)
        return self.random.choice((f'c0 @> ARRAY[{self.keys(1, 1)}]', f'c0 @> ARRAY[{self.keys(1, 2)}]', f'c0 && ARRAY[{self.keys(1, 30)}]'))
