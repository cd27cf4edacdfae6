"""The groups of measurements, in the order in which they are taken.

Unless a label says otherwise, statements run in one process, without JIT, over
tables that are in the server's shared buffers, with default work_mem.
"""

import json
import statistics
import subprocess

from measure import Statement
from session import Session

COUNT = Statement("count", "count(*)", "SELECT count(*) FROM t")
KEY_SETS = {"10k": 10_000, "100k": 100_000, "1m": 1_000_000}
LARGE_WORK_MEM = {"work_mem": "256MB"}
JOIN_FILTERS = {"bloomfilter.join_filters": "on"}


def in_memory(name, items):
    """A filter from the table as a plain value in memory, made once per query
    by a subquery: its union with an empty filter is a copy."""
    return (f"(SELECT bloom_union(f, bloom_create({items})) FROM filters "
            f"WHERE name = '{name}')")


def stored(name):
    return f"(SELECT f FROM filters WHERE name = '{name}')"


def thousands(number):
    return f"{number:,}"


def baselines(bench):
    bench.interleave("baselines", [
        COUNT,
        Statement("max_id", "max(id)", "SELECT max(id) FROM t"),
        Statement("max_s", "max(s)", "SELECT max(s) FROM t"),
        Statement("modulo", "WHERE id % 7 = 3", "SELECT count(*) FROM t WHERE id % 7 = 3"),
        Statement("equal", "WHERE id = constant", "SELECT count(*) FROM t WHERE id = 4711"),
        Statement("hash_id", "WHERE bloom_hash(id) = 0: hash, and no filter",
                  "SELECT count(*) FROM t WHERE bloom_hash(id) = 0"),
        Statement("hash_s", "WHERE bloom_hash(s) = 0: hash, and no filter",
                  "SELECT count(*) FROM t WHERE bloom_hash(s) = 0"),
    ], "count")


def build(bench):
    rows = bench.sizes.rows

    def agg(key, label, expression):
        return Statement(key, label, f"SELECT {expression} IS NULL FROM t")

    statements = [
        COUNT,
        agg("sized_id", "bloom_agg(id, n)", f"bloom_agg(id, {rows})"),
        agg("sized_s", "bloom_agg(s, n)", f"bloom_agg(s, {rows})"),
        agg("sized_u", "bloom_agg(u, n), uuid", f"bloom_agg(u, {rows})"),
        agg("sized_numeric", "bloom_agg(id::numeric, n), with the cast",
            f"bloom_agg(id::numeric, {rows})"),
        agg("exact_id", "bloom_agg(id), right-sized", "bloom_agg(id)"),
        agg("exact_s", "bloom_agg(s), right-sized", "bloom_agg(s)"),
        agg("exact_u", "bloom_agg(u), uuid, right-sized", "bloom_agg(u)"),
        agg("exact_numeric", "bloom_agg(id::numeric), right-sized, with the cast",
            "bloom_agg(id::numeric)"),
        agg("max_numeric", "max(id::numeric), with the cast", "max(id::numeric)"),
        agg("exact_row", "bloom_agg(id / 5), right-sized, each value 5 times in a row",
            "bloom_agg(id / 5)"),
        agg("exact_turn", "bloom_agg(id % (n / 5)), right-sized, each value 5 times in turn",
            f"bloom_agg(id % {rows // 5})"),
        agg("exact_1000", "bloom_agg(id % (n / 1000)), right-sized, each value 1000 times in turn",
            f"bloom_agg(id % {rows // 1000})"),
        agg("max_modulo", "max(id % (n / 5)), for comparison", f"max(id % {rows // 5})"),
        agg("array_agg", "array_agg(id)", "array_agg(id)"),
        agg("count_distinct", "count(DISTINCT id)", "count(DISTINCT id)"),
    ]
    if has_extension(bench, "hll"):
        statements += [
            agg("hll_id", "hll_add_agg(hll_hash_bigint(id))", "hll_add_agg(hll_hash_bigint(id))"),
            agg("hll_s", "hll_add_agg(hll_hash_text(s))", "hll_add_agg(hll_hash_text(s))"),
        ]
    if has_extension(bench, "tdigest"):
        statements.append(agg("tdigest_id", "tdigest(id, 100)",
                              "tdigest(id::double precision, 100)"))
    bench.interleave("build", statements, "count")


def has_extension(bench, name):
    available = bench.session.value(
        f"SELECT count(*) FROM pg_available_extensions WHERE name = '{name}'") == "1"
    if available:
        bench.session.rows(f"CREATE EXTENSION IF NOT EXISTS {name}")
    else:
        bench.say(f"  (the extension {name} is not installed: left out)")
    return available


def hash_sets(bench):
    """Sets of hashes, as tables and as right-sized aggregation has them.  Many
    repetitions of many values would take too long."""
    cases = sorted({(distinct, max(1, min(repetitions, bench.sizes.hashes // distinct)))
                    for distinct in (1_000, 10_000, 100_000, 1_000_000, 5_000_000, 16_000_000)
                    for repetitions in (1, 5, 1_000)})
    taken = {}
    for number in range(1, bench.sizes.rounds + 1):
        for distinct, repetitions in cases:
            for kind in ("table", "gathering"):
                bench.note(f"round {number} of {bench.sizes.rounds}: "
                           f"{thousands(distinct)} x {repetitions}, {kind}")
                figures = subprocess.run(
                    [bench.sizes.programs / "hashset", kind, str(distinct), str(repetitions)],
                    check=True, capture_output=True, encoding="ascii").stdout.split()
                taken.setdefault((distinct, repetitions, kind), []).append(
                    [float(figure) for figure in figures])
    bench.done()
    for (distinct, repetitions, kind), figures in taken.items():
        case = f"{thousands(distinct)} hashes, each {repetitions} times, {kind}"
        for name, column, unit in (("ns", 0, "ns"), ("bytes", 1, "B")):
            bench.add_value("sets", f"{name}.{distinct}.{repetitions}.{kind}",
                            f"{case}: {'time per insertion' if unit == 'ns' else 'peak memory'}",
                            statistics.median(row[column] for row in figures), unit)


def places(bench):
    """A test by where the blocks lie."""
    variants = (("small", "pages of 4 kB"), ("small_line", "pages of 4 kB, blocks on cache lines"),
                ("huge", "huge pages"), ("huge_line", "huge pages, blocks on cache lines"))
    sizes = {items: int(bench.session.value(f"SELECT bloom_size({items})"))
             for items in (1_000_000, 10_000_000, 100_000_000)}
    taken = {}
    for number in range(1, bench.sizes.rounds + 1):
        for items, size in sizes.items():
            bench.note(f"round {number} of {bench.sizes.rounds}: {thousands(items)} values")
            figures = subprocess.run([bench.sizes.programs / "probe", str(size // 64 * 64)],
                                     check=True, capture_output=True, encoding="ascii")
            for (key, _), figure in zip(variants, figures.stdout.split()):
                taken.setdefault((items, key), []).append(float(figure))
    bench.done()
    for items in sizes:
        for key, label in variants:
            bench.add_value("places", f"{key}.{items}", f"{thousands(items)} values, {label}",
                            statistics.median(taken[items, key]), "ns")


def test_statements(column, size):
    """Every row of t against one set of keys."""
    def over_t(key, label, condition, answer="", **more):
        return Statement(key, label, f"SELECT count(*) FROM t WHERE {condition}",
                         answer=answer, **more)

    items = KEY_SETS[size]
    name, exact = f"{column}_{size}", f"{column}_{size}_exact"
    statements = [
        Statement("count", "count(*)", COUNT.sql),
        over_t("memory", "filter in memory",
               f"bloom_contains({in_memory(name, items)}, {column})", name),
        over_t("stored", "filter from a table",
               f"bloom_contains({stored(name)}, {column})", name),
        over_t("built", "filter built in the query from a table of keys",
               f"bloom_contains((SELECT bloom_agg({column}) FROM keys_{size}), {column})"),
        over_t("semijoin", "IN (SELECT ...), a hash semi join",
               f"{column} IN (SELECT {column} FROM keys_{size})", exact),
    ]
    if size == "1m":
        statements.append(over_t(
            "semijoin_mem", "IN (SELECT ...), work_mem = 256MB",
            f"{column} IN (SELECT {column} FROM keys_{size})", exact,
            settings=LARGE_WORK_MEM))
    if column == "id":
        keys = ",".join(str(n * 5_000_000 // items) for n in range(1, items + 1))
        statements.append(over_t(
            "any", "= ANY (constant array)", f"id = ANY ('{{{keys}}}'::bigint[])", exact,
            shown="SELECT count(*) FROM t WHERE id = ANY ('{...}'::bigint[])"))
    return statements


def test(bench):
    """Every row of t against sets of three sizes."""
    for column in ("id", "s"):
        for size, items in KEY_SETS.items():
            bench.say(f"  -- {column}, {thousands(items)} keys")
            bench.interleave(f"test.{column}.{size}", test_statements(column, size), "count")


def stored_filters(bench):
    """Filters stored out of line, against the same in memory."""
    bench.note("a filter of ten million values")
    bench.session.rows("INSERT INTO filters SELECT 'id_10m', full_filter(1e7)")
    bench.session.rows("VACUUM (ANALYZE) filters")
    for size, items in (("10k", 10_000), ("1m", 1_000_000), ("10m", 10_000_000)):
        name = f"id_{size}"
        size_of = bench.session.value(f"SELECT pg_size_pretty(pg_column_size(f)::bigint) "
                                      f"FROM filters WHERE name = '{name}'")
        bench.say(f"  -- {thousands(items)} values, {size_of}")
        bench.interleave(f"stored.{size}", [
            COUNT,
            Statement("memory", "in memory",
                      f"SELECT count(*) FROM t WHERE bloom_contains({in_memory(name, items)}, id)",
                      answer=name),
            Statement("subselect", "stored, WHERE bloom_contains((SELECT f ...), id)",
                      f"SELECT count(*) FROM t WHERE bloom_contains({stored(name)}, id)",
                      answer=name),
            Statement("join", "stored, FROM t JOIN filters ON bloom_contains(f, id)",
                      f"SELECT count(*) FROM t JOIN filters ON bloom_contains(f, id) "
                      f"WHERE name = '{name}'", answer=name),
        ], "memory")
    point_lookup(bench)
    many_filters(bench)


def explain(session, sql):
    """Executes a statement; returns its milliseconds in the executor, the
    buffers it read, and its plan."""
    (result,) = json.loads(session.text(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sql}"))
    plan = result["Plan"]
    return (result["Execution Time"],
            plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], plan)


def point_lookup(bench):
    """One value, or a few, against a stored filter of 12 MB."""
    bench.say("  -- one value against one stored filter of 10,000,000 values")
    lookups = [explain(bench.session, "SELECT bloom_contains(f, "
                       f"{4711 * n}::bigint) FROM filters WHERE name = 'id_10m'")
               for n in range(1, 102)]
    whole = [explain(bench.session,
                     "SELECT bloom_cardinality(f) FROM filters WHERE name = 'id_10m'")
             for n in range(5)]
    few = [explain(bench.session, "SELECT bloom_contains_any(f, ARRAY["
                   f"{', '.join(str(-9 * n - i) for i in range(9))}]::bigint[]) "
                   "FROM filters WHERE name = 'id_10m'")
           for n in range(1, 102)]
    # few enough for the filter not to be loaded before the statement ends
    loop = [float(bench.session.value("SELECT lookup_ms('id_10m', 100)")) for n in range(21)]
    bench.add_value("lookup", "explain_us", "EXPLAIN ANALYZE, median of 101 values",
                    statistics.median(ms for ms, *_ in lookups) * 1e3, "us")
    bench.add_value("lookup", "loop_us", "PL/pgSQL loop over 100 values, per lookup, median of 21",
                    statistics.median(loop) * 1e3, "us")
    bench.add_value("lookup", "buffers", "buffers, the most for any value",
                    max(buffers for _, buffers, _ in lookups))
    bench.add_value("lookup", "few_us", "bloom_contains_any with 9 values, median of 101 arrays",
                    statistics.median(ms for ms, *_ in few) * 1e3, "us")
    bench.add_value("lookup", "few_buffers", "its buffers, the most for any array",
                    max(buffers for _, buffers, _ in few))
    bench.add_value("lookup", "whole_us", "for comparison: bloom_cardinality, reads it all",
                    statistics.median(ms for ms, *_ in whole) * 1e3, "us")
    bench.add_value("lookup", "whole_buffers", "its buffers",
                    max(buffers for _, buffers, _ in whole))


def many_filters(bench):
    """One value against many stored filters.  The same bytes as bytea, of
    which get_byte() reads the whole to return one, are the measure: nothing
    that detoasts is cheaper."""
    for size, items, number in (("12k", 10_000, bench.sizes.filters),
                                ("124k", 100_000, bench.sizes.larger_filters)):
        bench.note(f"{thousands(number)} filters of {thousands(items)} values each")
        bench.session.rows(f"""
            CREATE TABLE many AS
            SELECT g, (SELECT bloom_agg(g * {items} + i, {items})
                         FROM (SELECT generate_series(1, {items}) AS i) AS series) AS f
              FROM generate_series(1, {number}::bigint) AS g""")
        bench.session.rows("""
            CREATE TABLE many_bytes (g bigint, b bytea);
            ALTER TABLE many_bytes ALTER b SET STORAGE EXTERNAL;
            INSERT INTO many_bytes SELECT g, f::bytea FROM many""")
        bench.session.rows("VACUUM (ANALYZE) many, many_bytes")
        bench.say(f"  -- one value against {thousands(number)} stored filters of "
                  f"{thousands(items)} values")
        statements = [
            Statement("contains", "WHERE bloom_contains(f, value)",
                      "SELECT count(*) FROM many WHERE bloom_contains(f, 4711)"),
            Statement("detoast", "the same bytes as bytea, each read whole",
                      "SELECT count(*) FROM many_bytes WHERE get_byte(b, 12000) = 256"),
            Statement("cardinality", "bloom_cardinality(f) of each",
                      "SELECT count(*) FROM many WHERE bloom_cardinality(f) = 0"),
            # what is remembered of the filters must not be gone through each time
            Statement("caught", "a PL/pgSQL block that handles exceptions, for each",
                      "SELECT count(*) FROM many WHERE caught(g) = 0", LARGE_WORK_MEM),
            Statement("contains_caught", "WHERE bloom_contains(f, value) OR such a block",
                      "SELECT count(*) FROM many WHERE bloom_contains(f, 4711) OR caught(g) = 0",
                      LARGE_WORK_MEM),
        ]
        bench.interleave(f"many.{size}", statements, "contains")
        for statement in statements[:2]:
            _, buffers, _ = explain(bench.session, statement.sql)
            bench.add_value(f"many.{size}", f"{statement.key}_buffers",
                            f"buffers per filter: {statement.label}", buffers / number)
        bench.session.rows("DROP TABLE many, many_bytes")


def prefilter(bench):
    """Queries with and without a filter in front of the expensive part."""
    rows = bench.sizes.rows
    customers = rows // 5
    bench.note("a star schema")
    bench.session.rows("SELECT setseed(0.5)")
    bench.session.rows(f"""
        CREATE TABLE customer AS
        SELECT id, 'Customer ' || id AS name, 1 + floor(random() * 50)::int AS region
          FROM generate_series(1, {customers}) AS id;
        CREATE TABLE product AS
        SELECT id, 1 + floor(random() * 20)::int AS category FROM generate_series(1, 10000) AS id;
        CREATE TABLE day AS
        SELECT id, 1 + id / 91 AS quarter FROM generate_series(0, 727) AS id;
        CREATE TABLE sale AS
        SELECT id, 1 + floor(random() * {customers})::int AS customer_id,
               1 + floor(random() * 10000)::int AS product_id,
               floor(random() * 728)::int AS day_id,
               1 + floor(random() * 20000)::int AS cents,
               'R-' || (100000000 + id) AS receipt
          FROM (SELECT generate_series(1, {rows}) AS id) AS series;
        CREATE TABLE returned AS
        SELECT receipt, CASE WHEN random() < 0.5 THEN 'damaged' ELSE 'unloved' END AS reason,
               md5(receipt) || md5(id::text) AS remark
          FROM sale WHERE random() < 0.1""")
    bench.session.rows("VACUUM (FREEZE, ANALYZE) customer, product, day, sale, returned")
    bench.session.rows("SELECT pg_prewarm('sale') + pg_prewarm('customer')")

    spill = """
        SELECT r.reason, count(*), sum(s.cents), max(s.customer_id), max(r.remark)
          FROM returned r JOIN sale s ON s.receipt = r.receipt {}
         GROUP BY r.reason ORDER BY r.reason"""
    grouped = """
        SELECT count(*), sum(s.sales), sum(s.cents)
          FROM customer c
          JOIN (SELECT customer_id, count(*) AS sales, sum(cents) AS cents
                  FROM sale {} GROUP BY customer_id) s ON s.customer_id = c.id
         WHERE c.region = 7"""
    star = """
        SELECT count(*), sum(s.cents)
          FROM sale s
          JOIN customer c ON c.id = s.customer_id
          JOIN product p ON p.id = s.product_id
          JOIN day d ON d.id = s.day_id
         WHERE c.region <= 5 AND p.category <= 2 AND d.quarter = 3 {}"""
    star_in = """
           AND s.customer_id IN (SELECT id FROM customer WHERE region <= 5)
           AND s.product_id IN (SELECT id FROM product WHERE category <= 2)
           AND s.day_id IN (SELECT id FROM day WHERE quarter = 3)"""
    bench.interleave("prefilter", [
        Statement("count", "count(*) of the fact table", "SELECT count(*) FROM sale"),
        Statement("spill_plain", "hash join that spills: plain", spill.format(""), answer="spill"),
        Statement("spill_filter", "hash join that spills: filtered", spill.format(
            "WHERE bloom_contains((SELECT bloom_agg(receipt) FROM returned), s.receipt)"),
                  answer="spill"),
        Statement("spill_on", "hash join that spills: bloomfilter.join_filters = on", spill.format(""),
                  JOIN_FILTERS, answer="spill"),
        Statement("spill_in", "hash join that spills: IN (SELECT ...)",
                  spill.format("WHERE s.receipt IN (SELECT receipt FROM returned)"), answer="spill"),
        Statement("spill_mem", "hash join that spills: plain, work_mem = 256MB",
                  spill.format(""), LARGE_WORK_MEM, answer="spill"),
        Statement("group_plain", "join with a grouped subquery: plain", grouped.format(""),
                  answer="group"),
        Statement("group_filter", "join with a grouped subquery: filtered", grouped.format(
            "WHERE bloom_contains((SELECT bloom_agg(id) FROM customer WHERE region = 7), "
            "customer_id)"), answer="group"),
        Statement("group_on", "join with a grouped subquery: bloomfilter.join_filters = on",
                  grouped.format(""), JOIN_FILTERS, answer="group"),
        Statement("group_in", "join with a grouped subquery: IN (SELECT ...)", grouped.format(
            "WHERE customer_id IN (SELECT id FROM customer WHERE region = 7)"), answer="group"),
        Statement("star_plain", "star join of three dimensions: plain", star.format(""),
                  answer="star"),
        Statement("star_filter", "star join of three dimensions: filtered by all three",
                  star.format("""
           AND bloom_contains((SELECT bloom_agg(id) FROM customer WHERE region <= 5), s.customer_id)
           AND bloom_contains((SELECT bloom_agg(id) FROM product WHERE category <= 2), s.product_id)
           AND bloom_contains((SELECT bloom_agg(id) FROM day WHERE quarter = 3), s.day_id)"""),
                  answer="star"),
        Statement("star_on", "star join of three dimensions: bloomfilter.join_filters = on",
                  star.format(""), JOIN_FILTERS, answer="star"),
        Statement("star_in", "star join of three dimensions: IN (SELECT ...) of all three",
                  star.format(star_in), answer="star"),
    ], "count")
    for key, label, sql in (("spill_plain", "plain", spill.format("")),
                            ("spill_filter", "filtered", spill.format(
                                "WHERE bloom_contains((SELECT bloom_agg(receipt) FROM returned), "
                                "s.receipt)"))):
        _, _, plan = explain(bench.session, sql)
        batches, megabytes = spilled(plan)
        bench.add_value("prefilter", f"{key}_batches",
                        f"hash join that spills: {label}, batches", batches)
        bench.add_value("prefilter", f"{key}_written",
                        f"hash join that spills: {label}, temporary files written", megabytes, "MB")
    bench.session.rows("DROP TABLE customer, product, day, sale, returned")


def spilled(plan):
    """The most batches of a hash table in a plan, and the megabytes of
    temporary files written."""
    def walk(node):
        yield node
        for child in node.get("Plans", ()):
            yield from walk(child)

    return (max(node.get("Hash Batches", 0) for node in walk(plan)),
            plan["Temp Written Blocks"] * 8192 / 1e6)


def foreign(bench):
    """A join with a table of another server: the same one, over its socket."""
    rows = bench.sizes.rows
    bench.session.rows(f"""
        CREATE TABLE far_sale AS
        SELECT id, id % 100000 AS customer_id, id % 1000 AS cents, md5(id::text) AS note
          FROM generate_series(1, {rows // 5}) AS id;
        CREATE TABLE near_customer AS
        SELECT id, id % 100 AS region FROM generate_series(0, 99999) AS id;
        CREATE EXTENSION postgres_fdw""")
    bench.session.rows("VACUUM (FREEZE, ANALYZE) far_sale, near_customer")
    bench.session.rows("""
        DO $$ BEGIN
            EXECUTE format('CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw OPTIONS '
                           '(host %L, port %L, dbname %L, extensions %L, fetch_size %L)',
                           current_setting('unix_socket_directories'), current_setting('port'),
                           current_database(), 'bloomfilter', '10000');
        END $$;
        CREATE USER MAPPING FOR CURRENT_USER SERVER far;
        CREATE FOREIGN TABLE foreign_sale (id int, customer_id int, cents int, note text)
            SERVER far OPTIONS (table_name 'far_sale');
        ANALYZE foreign_sale""")
    # the note is asked for, so that rows have to come over
    query = """
        SELECT count(*), sum(s.cents), max(s.note)
          FROM foreign_sale s JOIN near_customer c ON c.id = s.customer_id
         WHERE c.region = 7 {}"""
    filtered = query.format("AND bloom_contains((SELECT bloom_agg(id) FROM near_customer "
                            "WHERE region = 7), s.customer_id)")
    bench.interleave("foreign", [
        Statement("local", "count(*) of the other server's table, there",
                  "SELECT count(*) FROM far_sale"),
        Statement("plain", "join with a foreign table: plain", query.format(""), answer="foreign"),
        Statement("filter", "join with a foreign table: filtered", filtered, answer="foreign"),
        Statement("on", "join with a foreign table: bloomfilter.join_filters = on", query.format(""),
                  JOIN_FILTERS, answer="foreign"),
        Statement("list", "join with a foreign table: = ANY (ARRAY(SELECT ...))", query.format(
            "AND s.customer_id = ANY (ARRAY(SELECT id FROM near_customer WHERE region = 7))"), answer="foreign"),
        Statement("in", "join with a foreign table: IN (SELECT ...)", query.format(
            "AND s.customer_id IN (SELECT id FROM near_customer WHERE region = 7)"), answer="foreign"),
    ], "local")
    for key, label, sql in (("plain", "plain", query.format("")), ("filter", "filtered", filtered)):
        _, _, plan = explain(bench.session, sql)
        bench.add_value("foreign", f"{key}_rows", f"rows that come over: {label}",
                        foreign_rows(plan))
    bench.session.rows("DROP SERVER far CASCADE; DROP TABLE far_sale, near_customer")


def foreign_rows(plan):
    """The rows that the foreign scans of a plan return."""
    own = plan["Actual Rows"] if plan["Node Type"] == "Foreign Scan" else 0
    return own + sum(foreign_rows(child) for child in plan.get("Plans", ()))


def loops(bench):
    """f := bloom_add(f, x) and the like in PL/pgSQL; aggregates made of it."""
    calls = bench.sizes.calls
    measured = [("hash", "the loop alone: h := bloom_hash(x)", f"hash_loop_ms({calls})")]
    for key, label, items in (("1k", "1 kB", 825), ("1m", "1 MB", 840_000),
                              ("10m", "10 MB", 8_400_000)):
        measured.append((f"add_{key}", f"f := bloom_add(f, x), {label}",
                         f"add_loop_ms({items}, {calls})"))
        measured.append((f"add_all_{key}", f"f := bloom_add_all(f, 100 values), {label}",
                         f"add_all_loop_ms({items}, {calls // 100})"))
        measured.append((f"union_{key}", f"f := f | g, g of one value, {label}",
                         f"union_loop_ms({items}, {calls // 10})"))
        measured.append((f"aggregate_{key}", f"a row of an aggregate with SFUNC = bloom_add, {label}",
                         f"own_aggregate_ms({items}, {calls})"))
    taken = {key: [] for key, *_ in measured}
    for number in range(1, bench.sizes.rounds + 1):
        for key, label, call in measured:
            bench.note(f"round {number} of {bench.sizes.rounds}: {label}")
            taken[key].append(float(bench.session.value(f"SELECT {call}")))
    bench.done()
    for key, label, call in measured:
        bench.add_times("loops", key, label, taken[key], sql=f"SELECT {call}")


def parameters(bench):
    """A large filter as a parameter, and tables without rows: what is left is
    planning and handing over the value."""
    items = bench.sizes.parameter_items
    bench.note(f"a filter of {thousands(items)} values")
    bench.session.rows("""
        CREATE TABLE parameter (f bloomfilter, bytes bytea);
        ALTER TABLE parameter ALTER bytes SET STORAGE EXTERNAL;
        CREATE TABLE whole (id bigint, b bytea);
        CREATE TABLE parts (id bigint) PARTITION BY RANGE (id)""")
    bench.session.rows(f"INSERT INTO parameter SELECT f, f::bytea FROM full_filter({items}) AS f")
    bench.session.rows("""
        DO $$ BEGIN
            FOR i IN 1 .. 20 LOOP
                EXECUTE format('CREATE TABLE parts_%s PARTITION OF parts '
                               'FOR VALUES FROM (%s) TO (%s)', i, i, i + 1);
            END LOOP;
        END $$""")
    bench.session.rows("VACUUM (ANALYZE) parameter, whole, parts")
    bench.add_value("parameters", "bytes", "bytes of the filter",
                    int(bench.session.value("SELECT pg_column_size(f) FROM parameter")))
    statements = {
        "bytea": ("FROM whole WHERE b = bytes, the same bytes as bytea",
                  "SELECT count(*) INTO result FROM whole WHERE b = bytes"),
        "whole": ("FROM whole WHERE f @> id",
                  "SELECT count(*) INTO result FROM whole WHERE f @> id"),
        "whole_once": ("FROM whole WHERE (SELECT f) @> id",
                       "SELECT count(*) INTO result FROM whole WHERE (SELECT f) @> id"),
        "parts": ("FROM parts WHERE f @> id, 20 partitions",
                  "SELECT count(*) INTO result FROM parts WHERE f @> id"),
        "parts_once": ("FROM parts WHERE (SELECT f) @> id, 20 partitions",
                       "SELECT count(*) INTO result FROM parts WHERE (SELECT f) @> id"),
    }
    measured = [(f"{key}.{mode}", label, statement, f"force_{mode}_plan")
                for key, (label, statement) in statements.items() for mode in ("custom", "generic")]
    taken = {key: [] for key, *_ in measured}
    for number in range(1, bench.sizes.rounds + 1):
        for key, label, statement, mode in measured:
            bench.note(f"round {number} of {bench.sizes.rounds}: {label}, {mode}")
            repetitions = 3 if mode == "force_custom_plan" else 300
            taken[key].append(float(bench.session.value(
                f"SELECT parameter_ms($${statement}$$, '{mode}', {repetitions})")))
    bench.done()
    for key, label, statement, mode in measured:
        bench.add_times("parameters", key, f"{label}, {mode}", taken[key], sql=statement)
    bench.session.rows("DROP TABLE parameter, whole, parts")


def set_operations(bench):
    """Operations on two large filters, against memcpy."""
    items = bench.sizes.large_items
    bench.note(f"two filters of {thousands(items)} values")
    for name, first in (("large_a", 0), ("large_b", items // 2)):
        bench.session.rows(f"""
            INSERT INTO filters
            SELECT '{name}', bloom_agg({first} + i, {items})
              FROM (SELECT generate_series(1, {items}::bigint) AS i) AS series""")
    size = int(bench.session.value("SELECT pg_column_size(f) FROM filters WHERE name = 'large_a'"))
    taken = {"memcpy": [], "memcpy_fresh": []}
    for number in range(1, bench.sizes.rounds + 1):
        bench.note(f"round {number} of {bench.sizes.rounds}")
        copied = subprocess.run([bench.sizes.programs / "memcpy", str(size)], check=True,
                                capture_output=True, encoding="ascii").stdout.split()
        for key, milliseconds in zip(("memcpy", "memcpy_fresh"), copied):
            taken[key].append(float(milliseconds))
        for operation, milliseconds in bench.session.rows(
                f"SELECT * FROM set_operations({items})"):
            taken.setdefault(operation, []).append(float(milliseconds))
    bench.done()
    bench.add_value("setops", "bytes", "bytes of each filter", size)
    labels = {"memcpy": "memcpy of one filter's bytes",
              "memcpy_fresh": "the same into fresh memory, given back after"}
    for key, milliseconds in taken.items():
        bench.add_times("setops", key.replace(" ", "_"), labels.get(key, key), milliseconds,
                        taken["memcpy"])
    bench.session.rows("DELETE FROM filters WHERE name LIKE 'large%'")
    bench.session.rows("VACUUM filters")


def scaling(bench):
    """Building and testing against the number of values."""
    sizes = [10 ** exponent for exponent in range(4, 8)]
    rows = bench.sizes.rows
    for items in sizes:
        bench.say(f"  -- {thousands(items)} values")
        source = f"FROM (SELECT generate_series(1, {items}::bigint) AS i) AS series"
        repetitions = max(1, bench.sizes.scaling_rows // items)
        measured = [("count", "count(i)"), ("sized", f"bloom_agg(i, {items})"),
                    ("exact", "bloom_agg(i)")]
        taken = {key: [] for key, _ in measured}
        for number in range(1, bench.sizes.rounds + 1):
            for key, aggregate in measured:
                bench.note(f"round {number} of {bench.sizes.rounds}: {aggregate}")
                taken[key].append(float(bench.session.value(
                    f"SELECT repeat_ms($$SELECT {aggregate} {source}$$, {repetitions})")))
        bench.done()
        for key, aggregate in measured:
            bench.add_times(f"scaling.build.{items}", key, aggregate, taken[key],
                            sql=f"SELECT {aggregate} {source}")

        bench.session.rows(f"INSERT INTO filters SELECT 'scaling', full_filter({items})")
        bench.interleave(f"scaling.test.{items}", [
            COUNT,
            Statement("copy", "the filter alone: read it into memory",
                      f"SELECT {in_memory('scaling', items)} IS NULL"),
            Statement("test", "WHERE bloom_contains(filter in memory, id)",
                      "SELECT count(*) FROM t "
                      f"WHERE bloom_contains({in_memory('scaling', items)}, id)"),
        ])
        bench.session.rows("DELETE FROM filters WHERE name = 'scaling'")
        for key in ("sized", "exact"):
            net = (bench.median(f"scaling.build.{items}", key) -
                   bench.median(f"scaling.build.{items}", "count"))
            bench.add_value("scaling", f"{key}.{items}", f"{key}: net time per value",
                            net * 1e6 / items, "ns")
        net = (bench.median(f"scaling.test.{items}", "test") -
               bench.median(f"scaling.test.{items}", "count") -
               bench.median(f"scaling.test.{items}", "copy"))
        bench.add_value("scaling", f"test.{items}", "test: net time per value",
                        net * 1e6 / rows, "ns")


def parallel(bench):
    rows = bench.sizes.rows
    statements = []
    answers = {"count": "count", "test": "test"}
    for workers in (0, 1, 2):
        settings = {"max_parallel_workers_per_gather": workers}
        for key, label, sql in (
                ("count", "count(*)", COUNT.sql),
                ("sized", "bloom_agg(id, n)", f"SELECT bloom_agg(id, {rows}) IS NULL FROM t"),
                ("sized_small", "bloom_agg(id % 10000, 10000)",
                 "SELECT bloom_agg(id % 10000, 10000) IS NULL FROM t"),
                ("exact", "bloom_agg(id)", "SELECT bloom_agg(id) IS NULL FROM t"),
                ("test", "WHERE bloom_contains(1,000,000 values in memory, id)",
                 "SELECT count(*) FROM t WHERE "
                 f"bloom_contains({in_memory('id_1m', 1_000_000)}, id)")):
            statements.append(Statement(f"{key}.{workers}", f"{label}, {workers} workers", sql,
                                        settings, answer=answers.get(key, "")))
            bench.session.rows(f"SET max_parallel_workers_per_gather = {workers}")
            plan = bench.session.text(f"EXPLAIN {sql}")
            bench.session.rows("RESET max_parallel_workers_per_gather")
            if workers > 0 and f"Workers Planned: {workers}" not in plan:
                raise SystemExit(f"not planned with {workers} workers: {sql}\n{plan}")
    bench.interleave("parallel", statements, "count.0")


def memory(bench):
    """Peak memory of a fresh process, above what it had before."""
    cases = [(f"exact.{n}", f"bloom_agg(i), {thousands(n)} distinct values", "bloom_agg(i)", n)
             for n in (1_000, 10_000, 100_000, 1_000_000, 4_000_000, 16_000_000)
             if n <= bench.sizes.memory_values]
    most = cases[-1][3]
    cases += [
        ("repeated", "bloom_agg(i % 5000), each of 5,000 values 1,000 times",
         "bloom_agg(i % 5000)", 5_000_000),
        ("repeated_large", "bloom_agg(i % 1000000), each of 1,000,000 values 10 times",
         "bloom_agg(i % 1000000)", 10_000_000),
        (f"sized.{most}", f"bloom_agg(i, n), {thousands(most)} distinct values",
         f"bloom_agg(i, {most})", most),
        (f"array.{most}", f"array_agg(i), {thousands(most)} values", "array_agg(i)", most)]
    for key, label, aggregate, rows in cases:
        bench.note(label)
        with Session() as fresh:
            fresh.rows("SELECT bloom_agg(i) IS NULL FROM (SELECT generate_series(1, 10) AS i) AS s")
            fresh.rows("SELECT array_agg(i) IS NULL FROM (SELECT generate_series(1, 10) AS i) AS s")
            before = int(fresh.value("SELECT peak_memory()"))
            fresh.rows(f"SELECT {aggregate} IS NULL "
                       f"FROM (SELECT generate_series(1, {rows}::bigint) AS i) AS series")
            peak = int(fresh.value("SELECT peak_memory()")) - before
        bench.done()
        bench.add_value("memory", key, label, peak * 1024 / 1e6, "MB")


def sizes(bench):
    """Bits per item, and the rate that is delivered."""
    for items in (10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 430_000_000):
        bits = float(bench.session.value(f"SELECT bloom_size({items}) * 8.0 / {items}"))
        bench.add_value("sizes", f"bits.{items}", f"bits per item at 1 %, {thousands(items)} items",
                        bits)
    for items, rate, seeds in ((100, 0.01, 400), (1_000, 0.01, 200), (10_000, 0.1, 60),
                               (10_000, 0.01, 60), (10_000, 0.001, 60), (100_000, 0.01, 20)):
        seeds = max(2, seeds // bench.sizes.seeds_divisor)
        bench.note(f"{thousands(items)} items at {rate:g}")
        ((mean, error),) = bench.session.rows(
            f"SELECT * FROM delivered_rate({items}, {rate}, {seeds}, 100000)")
        bench.done()
        key = f"{items}.{rate:g}"
        bench.add_value("sizes", f"rate.{key}",
                        f"rate delivered, {thousands(items)} items at {rate:g}, {seeds} seeds",
                        float(mean))
        bench.add_value("sizes", f"error.{key}", "its standard error", float(error))


def headline(bench):
    """The largest filter: a hundred million values."""
    items = bench.sizes.headline_items
    probes = items // 10
    source = f"FROM (SELECT generate_series(1, {items}::bigint) AS i) AS series"
    bench.note(f"{thousands(items)} values")
    count_ms, _ = bench.session.time(f"SELECT count(i) {source}")
    build_ms, _ = bench.session.time(f"SELECT bloom_agg(i, {items}) IS NULL {source}")
    bench.session.rows(f"INSERT INTO filters SELECT 'headline', bloom_agg(i, {items}) {source}")
    ((size, bits),) = bench.session.rows(
        "SELECT bytes, bits FROM filters, bloom_info(f) WHERE name = 'headline'")
    memory_of = in_memory("headline", items)

    def probe(expression, condition):
        return bench.session.time(
            f"SELECT count(*) FROM (SELECT {expression} AS i FROM "
            f"(SELECT generate_series(1, {probes}::bigint) AS n) AS series OFFSET 0) AS probes "
            f"WHERE {condition}")

    idle_ms, _ = probe(f"{items} + n", "true")
    copy_ms, _ = bench.session.time(f"SELECT {memory_of} IS NULL")
    absent_ms, (passed,) = probe(f"{items} + n", f"bloom_contains({memory_of}, i)")
    _, (lost,) = probe("10 * n", f"NOT bloom_contains({memory_of}, i)")
    bench.session.rows("DELETE FROM filters WHERE name = 'headline'")
    bench.done()
    for key, label, value, unit in (
            ("items", "values", items, ""),
            ("bytes", "bytes", int(size), ""),
            ("bits_per_item", "bits per value", int(bits) / items, ""),
            ("count_s", "count(i) of the same rows", count_ms / 1e3, "s"),
            ("build_s", "bloom_agg(i, n)", build_ms / 1e3, "s"),
            ("build_ns", "build: net time per value", (build_ms - count_ms) * 1e6 / items, "ns"),
            ("test_ns", "test of an absent value: net time",
             (absent_ms - idle_ms - copy_ms) * 1e6 / probes, "ns"),
            ("probes", "values tested, absent ones and present ones each", probes, ""),
            ("rate", "absent ones that passed", int(passed) / probes, ""),
            ("lost", "present ones that were lost", int(lost), "")):
        bench.add_value("headline", key, label, value, unit)


GROUPS = {
    "baselines": ("Baselines", baselines),
    "build": ("Building", build),
    "sets": ("Sets of hashes", hash_sets),
    "test": ("Testing every row", test),
    "stored": ("Stored filters", stored_filters),
    "places": ("Where blocks lie", places),
    "prefilter": ("Filters in front of joins", prefilter),
    "foreign": ("Another server", foreign),
    "loops": ("PL/pgSQL loops, per call", loops),
    "parameters": ("A large filter as a parameter", parameters),
    "setops": ("Operations on whole filters", set_operations),
    "scaling": ("Number of values", scaling),
    "parallel": ("Parallel workers", parallel),
    "memory": ("Peak memory", memory),
    "sizes": ("Sizes and false positive rates", sizes),
    "headline": ("The headline", headline),
}
