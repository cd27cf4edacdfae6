"""Tables that are elsewhere: on another server, which is the same one, and in a file.

Where the server lacks postgres_fdw or file_fdw, these tables are its own.
"""
from tables import FAR, FOREIGN, GRANTS, TABLES

LOOPBACK = '''
CREATE EXTENSION bloomfilter;
CREATE EXTENSION postgres_fdw;
CREATE SERVER loopback FOREIGN DATA WRAPPER postgres_fdw
	OPTIONS (host '{host}', port '{port}', dbname '{database}', async_capable 'true', extensions 'bloomfilter');
CREATE USER MAPPING FOR PUBLIC SERVER loopback OPTIONS (user '{user}', password_required 'false');
CREATE SERVER asked FOREIGN DATA WRAPPER postgres_fdw
	OPTIONS (host '{host}', port '{port}', dbname '{database}', extensions 'bloomfilter', use_remote_estimate 'true');
CREATE USER MAPPING FOR PUBLIC SERVER asked OPTIONS (user '{user}', password_required 'false');
'''

# two of three, so that an Append may wait for both
MOVED = '''
ALTER TABLE {0} DETACH PARTITION {0}_{1};
CREATE FOREIGN TABLE {0}_far_{1} PARTITION OF {0} FOR VALUES WITH (MODULUS 3, REMAINDER {1})
	SERVER loopback OPTIONS (table_name '{0}_{1}');
'''

# in the database's own directory, which is removed with it
FILE = '''
CREATE EXTENSION file_fdw;
CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
COPY {0} TO '{1}' (FORMAT csv);
'''

# by itself: the other connection waits for what the SQL above locks
ANALYZE = f'ANALYZE {", ".join(name for name, _, stored in TABLES if stored == FOREIGN or name in FAR)};'

IN_FILE = 'f_some'                  # the others are on a server
ASKED = ('f_more', 'f_most')        # and that of these is asked for estimates


def definition(connection, columns):
    """SQL that makes the tables, once those they show are committed."""
    there = {name for name, in connection.rows('SELECT name FROM pg_available_extensions')}
    script = []
    if 'postgres_fdw' in there:
        script.append(LOOPBACK.format(**connection.address))
        script += [MOVED.format(name, part) for name in FAR for part in (1, 2)]
    if 'file_fdw' in there:
        path, = connection.rows("SELECT current_setting('data_directory') || '/' || pg_relation_filepath('t_some') || '.csv'")[0]
        script.append(FILE.format('t_some', path))
    for name in [name for name, _, stored in TABLES if stored == FOREIGN]:
        source = name.replace('f_', 't_')
        listed = ', '.join(f'{column.name} {column.type}' for column in columns[name]) + ', of_int int8'
        if name == IN_FILE and 'file_fdw' in there:
            script.append(f"CREATE FOREIGN TABLE {name} ({listed}) SERVER files OPTIONS (filename '{path}', format 'csv');")
        elif name != IN_FILE and 'postgres_fdw' in there:
            server = 'asked' if name in ASKED else 'loopback'
            script.append(f"CREATE FOREIGN TABLE {name} ({listed}) SERVER {server} OPTIONS (table_name '{source}');")
        else:
            script.append(f'CREATE TABLE {name} AS TABLE {source};')
    return '\n'.join(script + [GRANTS])
