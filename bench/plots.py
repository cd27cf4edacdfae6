"""Draws a run's figures with gnuplot, as SVG."""

import shutil
import subprocess

BLOOM, LIGHT, OTHER, GREY = "#1f6feb", "#8ab6f9", "#d9822b", "#8b949e"
ROARING, ROARING_LIGHT = "#57a773", "#a8d5ba"
PREAMBLE = """
set terminal svg size {width},{height} font 'sans-serif,12' background 'white'
set output '{output}'
set border 3
set tics nomirror out
set grid ytics lc rgb '#dddddd' lt 1
set style fill solid 1 noborder
set key top left reverse Left samplen 1.5
"""


def gnuplot(path, script, width=860, height=440):
    preamble = PREAMBLE.format(width=width, height=height, output=path)
    subprocess.run(["gnuplot"], input=preamble + script, check=True, encoding="utf-8")


def block(name, rows):
    """A gnuplot data block."""
    lines = (" ".join(f'"{cell}"' if isinstance(cell, str) else f"{cell:.6g}" for cell in row)
             for row in rows)
    return f"${name} << END\n" + "\n".join(lines) + "\nEND\n"


def building(figures, path):
    labels = (("sized_id", "bloom_agg\\n(id, n)", 1), ("exact_id", "bloom_agg\\n(id)", 1),
              ("sized_s", "bloom_agg\\n(s, n)", 1), ("exact_s", "bloom_agg\\n(s)", 1),
              ("hll_id", "hll\\n(id)", 2), ("hll_s", "hll\\n(s)", 2),
              ("array_agg", "array_agg\\n(id)", 2), ("tdigest_id", "tdigest\\n(id)", 2),
              ("count_distinct", "count\\n(DISTINCT id)", 2))
    rows = [(label, figures.ratio("build", key), kind) for key, label, kind in labels
            if figures.has("build", key)]
    gnuplot(path, block("data", rows) + f"""
set title 'Building over all rows'
set ylabel 'time, × count(*)'
set yrange [0:*]
set termoption noenhanced
set bmargin 3.5
set boxwidth 0.6
unset key
plot $data using 0:($3==1?$2:NaN):xtic(1) with boxes lc rgb '{BLOOM}', \\
     $data using 0:($3==2?$2:NaN) with boxes lc rgb '{OTHER}', \\
     $data using 0:2:(sprintf('%.2f', $2)) with labels offset 0,0.6
""")


SETS = (("10k", "10,000"), ("100k", "100,000"), ("1m", "1,000,000"))
OURS = (("memory", "Bloom filter in memory", BLOOM), ("built", "filter built in the query", LIGHT))


def testing(figures, path):
    sets(figures, path, {"id": (*OURS, ("semijoin", "IN (SELECT ...)", OTHER), ("any", "= ANY (constant)", GREY)),
                         "s": (*OURS, ("semijoin", "IN (SELECT ...)", OTHER))})


def others(figures, path):
    """Ours first; then what the server has; then other extensions, those that were measured."""
    exact = (("semijoin", "IN (SELECT ...)", OTHER), ("any", "= ANY (constant)", GREY),
             ("roaring32", "roaringbitmap", ROARING), ("roaring64", "roaringbitmap64", ROARING_LIGHT),
             ("pgbloomfun", "pgbloomfun", ROARING))
    sets(figures, path, {column: [form for form in (*OURS, *exact) if figures.has(f"test.{column}.1m", form[0])]
                         for column in ("id", "s")})


def sets(figures, path, forms):
    """Every row against sets of three sizes, by column; forms: key, title, colour."""
    blocks = "".join(block(column, [
        [f"{title} keys"] + [figures.ratio(f"test.{column}.{size}", key) for key, *_ in forms[column]]
        for size, title in SETS]) for column in forms)
    highest = max(figures.ratio(f"test.{column}.{size}", key)
                  for column in forms for key, *_ in forms[column] for size, _ in SETS)
    panels = "".join(
        f"set title 'Every row against a set: {name}'\nplot " + ", ".join(
            f"${column} using {number}{':xtic(1)' if number == 2 else ''} title '{title}' lc rgb '{colour}'"
            for number, (_, title, colour) in enumerate(forms[column], 2)) + "\n"
        for column, name in (("id", "bigint"), ("s", "text")))
    gnuplot(path, blocks + f"""
set multiplot layout 1,2
set style data histograms
set style histogram clustered gap 1
set yrange [0:{highest * 1.35:.3g}]
set xrange [-0.6:2.6]
set ylabel 'time, × count(*)'
{panels}""", width=1000)


def stored(figures, path):
    sizes = (("10k", "12 kB"), ("1m", "1.2 MB"), ("10m", "12 MB"))
    forms = ("memory", "subselect", "join")
    rows = [[title] + [figures.ratio(f"stored.{size}", form) for form in forms]
            for size, title in sizes]
    highest = max(1.2, *(figures.ratio(f"stored.{size}", form)
                         for size, _ in sizes for form in forms))
    many = [[title] + [figures.ratio(f"many.{size}", form)
                       for form in ("contains", "detoast", "cardinality")]
            for size, title in (("12k", "12 kB"), ("124k", "124 kB"))]
    gnuplot(path, block("data", rows) + block("many", many) + f"""
set multiplot layout 1,2
set title 'Every row against a stored filter'
set ylabel 'time, × the same filter in memory'
set yrange [0:{highest * 1.35:.3g}]
set xrange [-0.6:2.6]
set arrow 1 from graph 0, first 1.2 to graph 1, first 1.2 nohead dt 2 lc rgb '{GREY}'
set label 1 'target 1.2' at graph 0.99, first 1.25 right tc rgb '{GREY}'
set style data histograms
set style histogram clustered gap 1
plot $data using 2:xtic(1) title 'in memory' lc rgb '{GREY}', \\
     $data using 3 title 'sub-select' lc rgb '{BLOOM}', \\
     $data using 4 title 'join' lc rgb '{LIGHT}'
unset arrow 1
unset label 1
set title 'One value against many stored filters'
set xrange [-0.6:1.6]
set ylabel 'time, × bloom\\_contains'
set yrange [0:*]
plot $many using 2:xtic(1) title 'bloom\\_contains' lc rgb '{BLOOM}', \\
     $many using 3 title 'bytea, read whole' lc rgb '{OTHER}', \\
     $many using 4 title 'bloom\\_cardinality' lc rgb '{GREY}'
""", width=1000)


def scaling(figures, path):
    blocks = ""
    for kind, headline in (("sized", "build_ns"), ("exact", None), ("test", "test_ns")):
        rows = [(float(row["key"].split(".")[1]), float(row["value"]))
                for row in figures.value_group("scaling") if row["key"].startswith(f"{kind}.")]
        if headline and figures.value("headline", "items") > rows[-1][0]:
            rows.append((figures.value("headline", "items"), figures.value("headline", headline)))
        blocks += block(kind, rows)
    gnuplot(path, blocks + f"""
set title 'Time per value, above that of reading it'
set xlabel 'values in the filter'
set ylabel 'ns'
set logscale x
set format x '10^{{%L}}'
set yrange [0:*]
plot $exact using 1:2 with linespoints lw 2 pt 5 lc rgb '{LIGHT}' title 'build, right-sized', \\
     $sized using 1:2 with linespoints lw 2 pt 7 lc rgb '{BLOOM}' \\
        title 'build, expected\\_items given', \\
     $test using 1:2 with linespoints lw 2 pt 9 lc rgb '{OTHER}' title 'test'
""")


def memory(figures, path):
    rows = [(float(row["key"].split(".")[1]), float(row["value"]))
            for row in figures.value_group("memory") if row["key"].startswith("exact.")]
    bits = figures.value("sizes", "bits.10000000") if figures.value_group("sizes") else 9.93
    gnuplot(path, block("data", rows) + f"""
set title 'Right-sized aggregation'
set xlabel 'distinct values'
set ylabel 'MB'
set logscale xy
set format x '10^{{%L}}'
plot $data using 1:2 with linespoints lw 2 pt 7 lc rgb '{BLOOM}' title 'peak memory', \\
     $data using 1:($1*{bits}/8e6) with lines dt 2 lw 2 lc rgb '{GREY}' title 'the filter itself'
""")


# name, what it needs
PLOTS = {
    "building": (building, {"build"}),
    "testing": (testing, {"test.id.1m", "test.s.1m"}),
    "others": (others, {"test.id.1m", "test.s.1m", "anew.id.1m"}),
    "stored": (stored, {"stored.10m", "many.124k"}),
    "scaling": (scaling, {"scaling", "headline"}),
    "memory": (memory, {"memory"}),
}


def draw(figures, directory, names=tuple(PLOTS)):
    if not shutil.which("gnuplot"):
        print("There is no gnuplot: the plots stay as they are")
        return
    measured = {row["group"] for row in figures.times} | {row["group"] for row in figures.values}
    for name in names:
        plot, needs = PLOTS[name]
        if measured >= needs:
            plot(figures, directory / f"{name}.svg")
