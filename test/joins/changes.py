"""Random statements that write; they are rolled back."""
from choices import Column, Limits
from relations import NEAR, SKIPPED, Relations


class Changes(Relations):
    """Makes DELETE, UPDATE and MERGE of choices."""

    def changed(self, names):
        """Name, alias and columns of the table to be written."""
        name = self.choose.pick(SKIPPED if self.skips and self.choose.chance(50) else names)
        self.sources -= 1
        alias = self.name()
        return name, alias, [Column(f'{alias}.{c.name}', c.family) for c in self.tables[name]]

    def change(self):
        """A DELETE or UPDATE with joins, and the table's name."""
        name, alias, columns = self.changed(NEAR)
        source, _ = self.source(1, columns)
        if self.mode == 'delete' and self.choose.chance(60) and source.startswith(' FROM '):
            return f'DELETE FROM {name} AS {alias} USING {source[6:]} RETURNING {alias}.id', name
        condition = f'EXISTS (SELECT 1{source})'
        if self.mode == 'delete':
            return f'DELETE FROM {name} AS {alias} WHERE {condition} RETURNING {alias}.id', name
        return f'UPDATE {name} AS {alias} SET c_int = c_int WHERE {condition} RETURNING {alias}.id', name

    def merge(self):
        """A MERGE into a table without foreign partitions, and the table's name.

        Its source has each key once: more than one row for the same row of the
        table would be an error.
        """
        name, alias, columns = self.changed(NEAR)
        source, seen = self.source(1)
        numbers = [c for c in seen if c.family == 'int']
        if not numbers:
            raise Limits
        key = self.choose.pick(numbers)
        rows = self.name('s')
        condition = f'{alias}.{self.choose.pick(("c_int", "id"))} = {rows}.k'
        if self.choose.chance(20):
            condition += f' AND {self.restriction(columns)}'
        clauses = [f'WHEN MATCHED AND {self.restriction(columns)} THEN {self.choose.pick(("DELETE", "DO NOTHING"))}']
        if self.choose.chance(70):
            clauses.append(f'WHEN MATCHED{self.only(columns)} THEN UPDATE SET '
                           + self.choose.pick((f'id = {alias}.id + 1', f'c_int = {rows}.n % 100', f'id = {rows}.n % 100')))
        if self.choose.chance(50):
            clauses.append(f'WHEN NOT MATCHED AND {rows}.n % 3 <> {self.choose.below(3)} THEN '
                           f'INSERT (id, c_int) VALUES (-1, {rows}.k % 1000)')
        return (f'MERGE INTO {name} AS {alias} USING (SELECT {key.sql}, {self.aggregate(seen)}{source} GROUP BY {key.sql}) '
                f'AS {rows} (k, n) ON {condition} {" ".join(clauses)}'), name

    def only(self, columns):
        return f' AND {self.restriction(columns)}' if self.choose.chance(60) else ''
