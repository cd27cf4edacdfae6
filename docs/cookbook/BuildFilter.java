/*
 * Builds filters of parts in parallel, unites them, and writes the text that
 * PostgreSQL reads.  docs/cookbook/drivers.md shows how to run it.  It stands in
 * for a job on many machines, with threads instead of executors.
 */
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import pgbloomfilter.Filter;

public class BuildFilter {
    static Filter emptyFilter() {
        return new Filter(100000, 0.01, 0);
    }

    /** On an executor: the rows of a part go in, the bytes of a filter come out. */
    static byte[] partFilter(LongStream rows) {
        try (Filter filter = emptyFilter()) {
            filter.addAll(rows.toArray());
            return filter.toBytes();
        }
    }

    public static void main(String[] arguments) throws IOException {
        // in Spark: rows.mapPartitions(…).collect()
        List<byte[]> parts = IntStream.range(0, 8).parallel()
            .mapToObj(i -> partFilter(LongStream.range(i * 10000, i * 10000 + 12000)))
            .collect(Collectors.toList());

        try (Filter whole = emptyFilter()) {
            for (byte[] part : parts)
                try (Filter filter = Filter.parse(part)) {
                    whole.unite(filter);
                }
            Files.writeString(Path.of(arguments[0]), whole + "\n");
        }
    }
}
