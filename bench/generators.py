"""Builds the public generators of three known sets, loads what they make, and
turns their queries into PostgreSQL's.

A generator is a checkout of somebody else's repository.  It is copied and
compiled in a temporary directory; nothing of it is kept.
"""

import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

JOBS = "-j2"
# docs/join-filters.md recommends so many pages for rows that match in short runs
PAGES_PER_RANGE = 16
# The generators are older than C99's rules for implicit declarations, and
# define variables in their headers.
CFLAGS = "-O2 -w -std=gnu89 -fcommon"


@dataclass
class Query:
    """One statement to measure, and those that it needs before and after."""
    key: str
    sql: str
    before: list = field(default_factory=list)
    after: list = field(default_factory=list)
    apart: bool = False                 # it is no query of the set, and stays out of its totals


def command(*words, cwd=None, env=None):
    """The output of a command that must succeed."""
    done = subprocess.run([str(word) for word in words], cwd=cwd, env=env, check=False, encoding="latin-1",
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, words))} failed:\n{(done.stdout + done.stderr)[-4000:]}")
    return done.stdout


#
# Text
#

def statements(text):
    """The statements of a file, without comments and semicolons.  No string
    of the three sets holds a semicolon or two hyphens."""
    text = re.sub(r"--[^\n]*", "", text)
    return [piece.strip() for piece in text.split(";") if piece.strip()]


def make_queries(name, text):
    """Queries of a text whose statements may be several: a view is made before
    the query that uses it and dropped after it; of two queries, the first is
    called a and the second b."""
    before, after, selects = [], [], []
    for statement in statements(text):
        words = statement.split(None, 2)
        if words[0].lower() == "create":
            before.append(statement)
        elif words[0].lower() == "drop":
            after.append(statement)
        else:
            selects.append(statement)
    letters = [""] if len(selects) == 1 else [chr(ord("a") + index) for index in range(len(selects))]
    return [Query(name + letter, sql, before, after) for letter, sql in zip(letters, selects)]


def foreign_keys(text):
    """(table, columns) of every foreign key in a script of ALTER TABLE."""
    return [(table, [column.strip().lower() for column in columns.split(",")]) for table, columns in re.findall(
        r"alter\s+table\s+(?:\w+\.)?(\w+)\s+add\s+(?:constraint\s+\w+\s+)?foreign\s+key\s*\w*\s*\(([^)]*)\)", text, re.IGNORECASE)]


def primary_keys(text):
    """(table, columns) of every primary key in a script of ALTER TABLE."""
    return re.findall(r"alter\s+table\s+(?:\w+\.)?(\w+)\s+add\s+primary\s+key\s*\(([^)]*)\)", text, re.IGNORECASE)


#
# The Star Schema Benchmark
#

# Its generator ships no queries.  These are the thirteen of its paper (O'Neil,
# O'Neil, Chen: Star Schema Benchmark, revision 3): what is computed, grouped
# and ordered by, and what is asked of each dimension.
PROFIT = "sum(lo_revenue - lo_supplycost) AS profit"
CITIES = "IN ('UNITED KI1', 'UNITED KI5')"
SSB_DATES = {1: ("d_year = 1993", "lo_discount BETWEEN 1 AND 3", "lo_quantity < 25"),
             2: ("d_yearmonthnum = 199401", "lo_discount BETWEEN 4 AND 6", "lo_quantity BETWEEN 26 AND 35"),
             3: ("d_weeknuminyear = 6", "d_year = 1994", "lo_discount BETWEEN 5 AND 7", "lo_quantity BETWEEN 26 AND 35")}
SSB_BRANDS = {1: ("p_category = 'MFGR#12'", "s_region = 'AMERICA'"),
              2: ("p_brand1 BETWEEN 'MFGR#2221' AND 'MFGR#2228'", "s_region = 'ASIA'"),
              3: ("p_brand1 = 'MFGR#2221'", "s_region = 'EUROPE'")}
SSB_TRADE = {1: ("nation", "c_region = 'ASIA'", "s_region = 'ASIA'", "d_year BETWEEN 1992 AND 1997"),
             2: ("city", "c_nation = 'UNITED STATES'", "s_nation = 'UNITED STATES'", "d_year BETWEEN 1992 AND 1997"),
             3: ("city", f"c_city {CITIES}", f"s_city {CITIES}", "d_year BETWEEN 1992 AND 1997"),
             4: ("city", f"c_city {CITIES}", f"s_city {CITIES}", "d_yearmonth = 'Dec1997'")}
SSB_PROFIT = {1: ("d_year, c_nation", "c_region = 'AMERICA'", "s_region = 'AMERICA'", "p_mfgr IN ('MFGR#1', 'MFGR#2')"),
              2: ("d_year, s_nation, p_category", "c_region = 'AMERICA'", "s_region = 'AMERICA'", "d_year IN (1997, 1998)",
                  "p_mfgr IN ('MFGR#1', 'MFGR#2')"),
              3: ("d_year, s_city, p_brand1", "c_region = 'AMERICA'", "s_nation = 'UNITED STATES'", "d_year IN (1997, 1998)",
                  "p_category = 'MFGR#14'")}
SSB_KEYS = {"date": "lo_orderdate = d_datekey", "customer": "lo_custkey = c_custkey", "supplier": "lo_suppkey = s_suppkey",
            "part": "lo_partkey = p_partkey"}


def star(columns, tables, conditions, tail=""):
    where = [SSB_KEYS[table] for table in tables] + list(conditions)
    return f"SELECT {columns} FROM lineorder, {', '.join(tables)} WHERE {' AND '.join(where)}{tail}"


def ssb_queries():
    for key, conditions in SSB_DATES.items():
        yield Query(f"1.{key}", star("sum(lo_extendedprice * lo_discount) AS revenue", ["date"], conditions))
    for key, conditions in SSB_BRANDS.items():
        yield Query(f"2.{key}", star("sum(lo_revenue), d_year, p_brand1", ["date", "part", "supplier"], conditions,
                                     " GROUP BY d_year, p_brand1 ORDER BY d_year, p_brand1"))
    for key, (place, *conditions) in SSB_TRADE.items():
        groups = f"c_{place}, s_{place}, d_year"
        yield Query(f"3.{key}", star(f"{groups}, sum(lo_revenue) AS revenue", ["customer", "supplier", "date"], conditions,
                                     f" GROUP BY {groups} ORDER BY d_year ASC, revenue DESC"))
    for key, (groups, *conditions) in SSB_PROFIT.items():
        yield Query(f"4.{key}", star(f"{groups}, {PROFIT}", ["date", "customer", "supplier", "part"], conditions,
                                     f" GROUP BY {groups} ORDER BY {groups}"))


class Generator:
    """What the three have in common.  Data are files of lines with '|'."""

    suffix = ".tbl"
    # tables of facts, each with the column of its date
    facts = ()
    # queries that are measured only where facts lie in order of time: key, statement
    by_time = ()

    def __init__(self, source, directory, scale):
        self.source = Path(source).resolve()
        self.directory = Path(directory)
        self.scale = scale
        self.build = self.directory / "build"
        self.data = self.directory / "data"
        if not (self.source / self.witness).exists():
            raise SystemExit(f"{source} is no checkout of {self.like}: it has no {self.witness}")

    def copy(self):
        shutil.copytree(self.source, self.build, ignore=shutil.ignore_patterns(".git"))

    def load(self, session):
        """Tables, their rows, primary keys, an index for every foreign key."""
        self.data.mkdir()
        print("  generating", flush=True)
        self.generate()
        for statement in statements(self.schema()):
            session.rows(statement)
        for (table,) in session.rows("SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"):
            files = sorted(self.data.glob(f"{table}{self.suffix}"))
            print(f"  loading {table}" if files else f"  no rows for {table}", flush=True)
            for file in files:
                # as one transaction with TRUNCATE: not logged
                session.text(f"BEGIN; TRUNCATE {table}")
                session.command(f"\\copy {table} FROM PROGRAM 'sed \"s/|$//\" {file}' "
                                "WITH (DELIMITER '|', NULL '', ENCODING 'LATIN1')")
                session.text("COMMIT")
                file.unlink()
        print("  indexes", flush=True)
        for statement in self.keys():
            session.rows(statement)
        self.finish(session)

    def order_by_time(self, session, keep_indexes):
        """Facts in order of their dates.  A BRIN index replaces the B-tree index of the date, or stands beside one."""
        for table, column in self.facts:
            print(f"  ordering {table} by {column}", flush=True)
            for (index,) in session.rows(f"""
                    SELECT indexrelid::regclass FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum::text = indkey::text
                     WHERE indrelid = '{table}'::regclass AND attname = '{column}' AND NOT indisunique"""):
                session.rows(f"DROP INDEX {index}")
            session.rows(f"CREATE INDEX in_order ON {table} ({column})")
            session.rows(f"CLUSTER {table} USING in_order")
            session.rows(f"ALTER INDEX in_order RENAME TO {table}_in_order" if keep_indexes else "DROP INDEX in_order")
            session.rows(f"CREATE INDEX ON {table} USING brin ({column}) WITH (pages_per_range = {PAGES_PER_RANGE})")
        self.finish(session)

    def finish(self, session):
        session.rows("VACUUM (FREEZE, ANALYZE)")
        session.rows("CHECKPOINT")


class StarSchema(Generator):
    title = "Star Schema Benchmark"
    like = "eyalroz/ssb-dbgen"
    witness = "doc/ssb.ddl"
    facts = (("lineorder", "lo_orderdate"),)

    def compile(self):
        self.copy()
        command("cmake", "-S", self.build, "-B", self.build / "made", f"-DCMAKE_C_FLAGS={CFLAGS}")
        command("cmake", "--build", self.build / "made", JOBS)

    def generate(self):
        command(self.build / "made" / "dbgen", "-b", self.build / "dists.dss", "-s", self.scale, "-q", "-f", cwd=self.data)

    def schema(self):
        return (self.build / "doc" / "ssb.ddl").read_text(encoding="latin-1")

    def keys(self):
        # what the checkout calls date_ here is called date in its schema, and
        # the number of an order is no key of its lines
        text = (self.build / "doc" / "ssb.ri").read_text(encoding="latin-1").replace("date_ ", "date ").replace("date_\n", "date\n")
        text = text.replace("(lo_orderkey)", "(lo_orderkey, lo_linenumber)")
        yield from (f"ALTER TABLE {table} ADD PRIMARY KEY ({columns})" for table, columns in primary_keys(text))
        yield from (f"CREATE INDEX ON {table} ({', '.join(columns)})" for table, columns in foreign_keys(text))

    def queries(self):
        return list(ssb_queries())


#
# TPC-H
#

TPCH_RULES = (
    # how many rows DB2's client fetches: LIMIT; -1 are all
    (r";\s*--#SET ROWS_FETCH -1\s*$", ";"),
    (r";\s*--#SET ROWS_FETCH (\d+)\s*$", r"\nlimit \1;"),
    # the precision of an interval
    (r"(interval '\d+' \w+) \(\d+\)", r"\1"),
)


def tpch_query(text):
    for pattern, replacement in TPCH_RULES:
        text = re.sub(pattern, replacement, text)
    return text


class TpcH(Generator):
    title = "TPC-H"
    like = "electrum/tpch-dbgen"
    witness = "dss.ri"
    facts = (("lineitem", "l_shipdate"), ("orders", "o_orderdate"))

    def compile(self):
        self.copy()
        command("make", "-s", JOBS, f"CFLAGS={CFLAGS} -DDBNAME='\"dss\"' -DLINUX -DDB2 -DTPCH -DRNG_TEST -D_FILE_OFFSET_BITS=64",
                cwd=self.build)

    def generate(self):
        command(self.build / "dbgen", "-b", self.build / "dists.dss", "-s", self.scale, "-q", "-f", cwd=self.data)

    def schema(self):
        return (self.build / "dss.ddl").read_text(encoding="latin-1")

    def keys(self):
        text = (self.build / "dss.ri").read_text(encoding="latin-1")
        text = re.sub(r"--[^\n]*", "", text)
        yield from (f"ALTER TABLE {table} ADD PRIMARY KEY ({columns})" for table, columns in primary_keys(text))
        yield from (f"CREATE INDEX ON {table} ({', '.join(columns)})" for table, columns in foreign_keys(text))

    def queries(self):
        """With the substitutions by which the specification validates answers."""
        found = []
        for number in range(1, 23):
            text = command(self.build / "qgen", "-d", "-s", self.scale, number, cwd=self.build,
                           env={"DSS_QUERY": str(self.build / "queries"), "DSS_CONFIG": str(self.build)})
            found += make_queries(str(number), tpch_query(text))
        return found


#
# TPC-DS
#

# A dialect for the generator: how a template limits rows, and what stands
# before and after each statement.
TPCDS_DIALECT = "".join(f'define {name} = "{text}";\n' for name, text in (
    ("__LIMITA", ""), ("__LIMITB", ""), ("__LIMITC", "limit %d"), ("_BEGIN", ""), ("_END", "")))
TPCDS_RULES = (
    # dates and days, but not names of columns ("30 days")
    (r"([-+])\s*(\d+)\s+days\b(?!\")", r"\1 interval '\2 days'"),
    # a column of another version of the schema
    (r"\bc_last_review_date_sk\b", "c_last_review_date"),
)
# ORDER BY knows the names of results alone, not in an expression
ALIAS_ORDER = re.compile(r"order\s+by\s+lochierarchy\s+desc\s*,\s*case\s+when\s+lochierarchy\b.*\Z", re.IGNORECASE | re.DOTALL)


SUBQUERY = re.compile(r"(?:\bfrom|,)\s*(\()\s*select\b", re.IGNORECASE)
NO_ALIAS = re.compile(r"\s*(?:[,)]|\Z|(?:where|group|order|having|limit|union|intersect|except)\b)", re.IGNORECASE)


def closing(text, start):
    """Where the parenthesis that opens there is closed.  No string of the queries holds one."""
    depth = 0
    for position in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if depth == 0:
            return position
    raise ValueError(f"a parenthesis is not closed: {text[start:]}")


def name_subqueries(text):
    """Before 16 PostgreSQL wants a name for every sub-select in FROM; in a list of results one does no harm."""
    ends = [closing(text, match.start(1)) + 1 for match in SUBQUERY.finditer(text)]
    for number, end in enumerate(sorted(ends, reverse=True)):
        if NO_ALIAS.match(text, end):
            text = f"{text[:end]} as subquery_{number}{text[end:]}"
    return text


def tpcds_query(text):
    for pattern, replacement in TPCDS_RULES:
        text = re.sub(pattern, replacement, text, flags=re.IGNORECASE)
    text = name_subqueries(text)
    order = ALIAS_ORDER.search(text)
    if order:
        text = f"select * from (\n{text[:order.start()]}) as grouped\n{text[order.start():]}"
    return text


class TpcDs(Generator):
    title = "TPC-DS"
    like = "databricks/tpcds-kit"
    witness = "tools/tpcds_ri.sql"
    suffix = ".dat"
    seed = 1
    facts = (("store_sales", "ss_sold_date_sk"), ("catalog_sales", "cs_sold_date_sk"), ("web_sales", "ws_sold_date_sk"),
             ("store_returns", "sr_returned_date_sk"), ("catalog_returns", "cr_returned_date_sk"),
             ("web_returns", "wr_returned_date_sk"), ("inventory", "inv_date_sk"))
    by_time = (("year", "SELECT count(*), sum(cs_ext_sales_price) FROM catalog_sales JOIN date_dim ON d_date_sk = cs_sold_date_sk "
                "WHERE d_year = 2000"),)

    def __init__(self, source, directory, scale):
        super().__init__(source, directory, scale)
        if not scale.isdecimal():
            raise SystemExit("TPC-DS is made at whole scales only")

    def compile(self):
        self.copy()
        # not in parallel: the makefile does not know all that depends on what it makes
        command("make", "-s", "OS=LINUX", "CC=gcc", "LEX=flex", "YACC=byacc", f"LINUX_CFLAGS={CFLAGS}", cwd=self.build / "tools")
        (self.build / "query_templates" / "postgresql.tpl").write_text(TPCDS_DIALECT, encoding="ascii")

    def generate(self):
        command("./dsdgen", "-DIR", self.data.resolve(), "-SCALE", self.scale, "-FORCE", "Y", "-QUIET", "Y", "-RNGSEED", self.seed,
                cwd=self.build / "tools")

    def schema(self):
        return (self.build / "tools" / "tpcds.sql").read_text(encoding="latin-1")

    def keys(self):
        text = (self.build / "tools" / "tpcds_ri.sql").read_text(encoding="latin-1")
        done = set()
        for table, columns in foreign_keys(re.sub(r"--[^\n]*", "", text)):
            if (table, *columns) not in done:
                done.add((table, *columns))
                yield f"CREATE INDEX ON {table} ({', '.join(columns)})"

    def queries(self):
        found = []
        for number in range(1, 100):
            text = command("./dsqgen", "-DIRECTORY", "../query_templates", "-TEMPLATE", f"query{number}.tpl", "-DIALECT", "postgresql",
                           "-SCALE", self.scale, "-FILTER", "Y", "-QUIET", "Y", "-RNGSEED", self.seed, cwd=self.build / "tools")
            for query in make_queries(str(number), text):
                query.sql = tpcds_query(query.sql)
                found.append(query)
        return found


SETS = {"ssb": StarSchema, "tpch": TpcH, "tpcds": TpcDs}
