"""The life of a random table with filter indexes, as SQL statements.

A life depends only on its seed.  It makes a table, plain, partitioned, unlogged
or temporary, with random columns and indexes, then changes it; between changes
are conditions whose rows are to be compared.
"""
import random

# A type, and an expression that makes a value of a number n: several numbers
# may make the same value.
TYPES = (
    ('int', '%s'), ('bigint', '%s::bigint * 4294967297'), ('smallint', '(%s %% 30000)'), ('numeric', '%s / 7.0'),
    ('float8', '%s / 3.0'), ('real', '(%s %% 5000)'), ('text', "'t' || %s"), ('varchar', "'v' || %s %% 1000"),
    ('char(8)', "'c' || %s"), ('uuid', 'md5((%s)::text)::uuid'), ('date', "date '2000-01-01' + %s %% 40000"),
    ('timestamptz', "timestamptz '2000-01-01' + %s * interval '1 minute'"), ('bytea', 'int4send(%s)'), ('boolean', '%s %% 3 = 0'),
    ('int[]', 'ARRAY[%s %% 100, %s]'), ('text[]', "ARRAY['a', (%s)::text]"), ('jsonb', "jsonb_build_object('n', %s)"),
    ('inet', "'10.0.0.0'::inet + %s"), ('interval', "%s * interval '1 hour'"), ('int4range', 'int4range(%s, %s + 10)'),
    ('mood', "(ARRAY['sad', 'ok', 'happy'])[%s %% 3 + 1]::mood"))

# Compared with the column, a value of another type.
OTHER_TYPES = {'int': 'bigint', 'bigint': 'int8', 'smallint': 'int', 'float8': 'real', 'real': 'float8', 'text': 'varchar',
               'varchar': 'text'}

MOST = 60000        # numbers that values are made of


class Life:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.name = f't{seed}'
        self.columns = [self.random.choice(TYPES) for _ in range(self.random.randint(1, 4))]
        self.kind = self.random.choice(('plain', 'plain', 'plain', 'partitioned', 'unlogged', 'temporary'))
        self.pad = self.random.choice((0, 0, 30, 200, 1500, 6000))
        self.indexes = 0
        self.rows = 0

    def value(self, column, number):
        kind, expression = self.columns[column]
        return f'({expression.replace("%%", "%") if "%s" not in expression else expression.replace("%s", str(number)).replace("%%", "%")})::{kind}'

    def number(self):
        return self.random.choice((self.random.randint(0, 200), self.random.randint(0, MOST)))

    # ---------- statements ----------

    def create(self):
        columns = ', '.join(f'c{i} {kind}' for i, (kind, _) in enumerate(self.columns))
        prefix = {'unlogged': 'UNLOGGED ', 'temporary': 'TEMPORARY '}.get(self.kind, '')
        if self.kind == 'partitioned':
            yield f'CREATE TABLE {self.name} (id int, {columns}, pad text) PARTITION BY RANGE (id)'
            yield f'CREATE TABLE {self.name}_low PARTITION OF {self.name} FOR VALUES FROM (MINVALUE) TO ({MOST // 2})'
            yield f'CREATE TABLE {self.name}_high PARTITION OF {self.name} DEFAULT'
        else:
            yield (f'CREATE {prefix}TABLE {self.name} (id int, {columns}, pad text) '
                   f'WITH (fillfactor = {self.random.choice((100, 70, 30))}, autovacuum_enabled = off)')
        yield f'ALTER TABLE {self.name} ALTER pad SET STORAGE PLAIN'
        for _ in range(self.random.randint(0, 2)):
            yield self.insert()
        for _ in range(self.random.randint(1, 3)):
            yield self.create_index('')

    def create_index(self, concurrently):
        self.indexes += 1
        whole = [c for c, (kind, _) in enumerate(self.columns) if kind != 'mood']
        if whole and self.random.random() < 0.3:
            items = self.random.choice(('', ', expected_items = 500', ', expected_items = 50000, false_positive_rate = 0.00001'))
            return (f'CREATE INDEX {concurrently}{self.name}_{self.indexes}_bf ON {self.name} USING bloomfilter '
                    f'(c{self.random.choice(whole)}) WITH (scope = table{items}){self.random.choice(("", " WHERE id > 1000"))}')
        columns = self.random.sample(range(len(self.columns)), self.random.randint(1, len(self.columns)))
        keys = [self.random.choice((f'c{c}',) * 4 + (f'(c{c}::text)',)) if self.columns[c][0] != 'timestamptz'
                and self.columns[c][0] in ('int', 'bigint', 'numeric', 'text', 'varchar') else f'c{c}' for c in columns]
        where = self.random.choice(('',) * 4 + (' WHERE id % 3 = 0', ' WHERE id > 1000'))
        rate = self.random.choice(('',) * 3 + (' WITH (false_positive_rate = 0.1)', ' WITH (false_positive_rate = 0.00001)'))
        return (f'CREATE INDEX {concurrently}{self.name}_{self.indexes}_bf ON {self.name} USING bloomfilter '
                f'({", ".join(keys)}){rate}{where}')

    def insert(self):
        count = self.random.choice((1, 10, 300, 3000)) if self.pad < 1000 else self.random.choice((1, 10, 400))
        first = self.random.randint(0, MOST - count)
        columns = []
        for i, _ in enumerate(self.columns):
            number = self.random.choice(('g', 'g', '(g / 20)', '(g % 50)', str(self.number())))
            value = self.value(i, number)
            columns.append(self.random.choice((value, value, f'CASE WHEN g % 4 > 0 THEN {value} END', 'NULL'))
                           if self.random.random() < 0.4 else value)
        self.rows += count
        return (f"INSERT INTO {self.name} SELECT g, {', '.join(columns)}, repeat('x', {self.pad}) "
                f'FROM generate_series({first}, {first + count - 1}) g')

    def update(self):
        i = self.random.randrange(len(self.columns))
        value = self.random.choice((self.value(i, 'id::int'), self.value(i, str(self.number())), 'NULL', f'c{i}'))
        return f'UPDATE {self.name} SET c{i} = {value} WHERE id % {self.random.choice((1, 2, 7, 50))} = 0'

    def delete(self):
        return f'DELETE FROM {self.name} WHERE id % {self.random.choice((1, 2, 2, 7))} = 0 AND id > {self.number()}'

    def upkeep(self):
        if self.kind == 'partitioned':
            return self.random.choice((f'VACUUM {self.name}', f'REINDEX TABLE {self.name}', f'ANALYZE {self.name}',
                                       f'TRUNCATE {self.name}_low', f'VACUUM FULL {self.name}'))
        return self.random.choice((
            f'VACUUM {self.name}', f'VACUUM {self.name}', f'VACUUM FULL {self.name}', f'ANALYZE {self.name}',
            f'REINDEX TABLE {self.name}', f'TRUNCATE {self.name}',
            f'REINDEX TABLE CONCURRENTLY {self.name}', self.create_index('CONCURRENTLY '),
            f'ALTER TABLE {self.name} ALTER id TYPE bigint', f'ALTER TABLE {self.name} ALTER id TYPE int'))

    def transaction(self):
        """Several changes at once, of which some are undone."""
        changes = self.random.choices((self.insert, self.insert, self.update, self.delete), k=self.random.randint(1, 4))
        yield 'BEGIN'
        for change in changes:
            if self.random.random() < 0.4:
                yield 'SAVEPOINT s'
                yield change()
                yield self.random.choice(('ROLLBACK TO s', 'RELEASE s'))
            else:
                yield change()
        if self.random.random() < 0.15:
            yield f'TRUNCATE {self.name}'
            yield self.insert()
        yield self.random.choice(('COMMIT', 'COMMIT', 'ROLLBACK'))

    def changes(self):
        """Some statements that change the table."""
        what = self.random.random()
        if what < 0.35:
            yield self.insert()
        elif what < 0.5:
            yield self.update()
        elif what < 0.6:
            yield self.delete()
        elif what < 0.75:
            yield self.upkeep()
        else:
            yield from self.transaction()

    # ---------- conditions ----------

    def literal(self, i):
        """A value to compare column i with: one of the table's, or any."""
        if self.random.random() < 0.5:
            return f'(SELECT c{i} FROM {self.name} OFFSET {self.random.randint(0, max(self.rows, 1))} LIMIT 1)'
        return self.value(i, str(self.number()))

    def comparison(self):
        return self.comparison_of(self.random.randrange(len(self.columns)))

    def comparison_of(self, i):
        kind = self.columns[i][0]
        what = self.random.random()
        if what < 0.5:
            return f'c{i} = {self.literal(i)}'
        if what < 0.6 and kind in OTHER_TYPES:
            return f'c{i} = {self.literal(i)}::{OTHER_TYPES[kind]}'
        if what < 0.7 and kind in ('int', 'bigint', 'numeric', 'text', 'varchar'):
            return f'c{i}::text = {self.literal(i)}::text'
        if kind.endswith('[]'):
            return f'c{i} IN ({self.literal(i)}, {self.literal(i)})'
        if what < 0.85:
            values = ', '.join(self.literal(i) for _ in range(self.random.randint(1, 5)))
            return f'c{i} = ANY (ARRAY[{values}, NULL])'
        step = self.random.choice((1, 7, 100))
        return f"c{i} = ANY (ARRAY(SELECT {self.value(i, 'g')} FROM generate_series(0, {step * 100}, {step}) g))"

    def condition(self):
        parts = [self.comparison() for _ in range(self.random.choice((1, 1, 1, 2, 3)))]
        text = self.random.choice((' AND ', ' AND ', ' OR ')).join(parts)
        extra = self.random.choice(('',) * 4 + (' AND id % 3 = 0', ' AND id > 1000', ' AND id > 1000'))
        return f'({text}){extra}'
