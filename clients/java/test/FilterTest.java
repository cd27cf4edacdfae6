import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import pgbloomfilter.BloomfilterException;
import pgbloomfilter.Filter;

/** Reads the lines that clients/c/test/vectors.py makes of clients/vectors.json. */
public final class FilterTest {
    private static final LocalDateTime EPOCH = LocalDateTime.of(2000, 1, 1, 0, 0);

    private static int checks, failures;
    private static boolean failed;

    private static void check(boolean right, Object what) {
        checks++;
        if (!right) {
            failures++;
            System.out.println("# " + what);
        }
    }

    private static void group(String name, int atLeast) {
        boolean wrong = failures > 0 || checks < atLeast;

        System.out.println((wrong ? "not ok - " : "ok - ") + name + " (" + checks + " checks)");
        failed |= wrong;
        checks = failures = 0;
    }

    private static void checkError(String sqlState, Runnable call) {
        try {
            call.run();
            check(false, "no error " + sqlState);
        } catch (BloomfilterException e) {
            check(e.sqlState.equals(sqlState) && !e.getMessage().isEmpty(), e);
        }
    }

    private static byte[] bytes(String hex) {
        byte[] bytes = new byte[hex.length() / 2];

        for (int i = 0; i < bytes.length; i++)
            bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
        return bytes;
    }

    private static String string(String hex) {
        return new String(bytes(hex), StandardCharsets.UTF_8);
    }

    /** A value as Java has it, or null if it has none, or none that tells the type. */
    private static Object value(String family, String value) {
        switch (family) {
            case "1": return Long.valueOf(value);
            case "2": return string(value);
            case "4": return Double.valueOf(value.equals("nan") ? "NaN" : value.replace("inf", "Infinity"));
            case "5": return value.equals("1");
            case "6": return date(Long.parseLong(value));
            case "7": return value.equals("86400000000") ? null : LocalTime.ofNanoOfDay(1000 * Long.parseLong(value));
            case "8": return timestamp(Long.parseLong(value));
            case "9":
                LocalDateTime time = timestamp(Long.parseLong(value));
                return time == null ? null : time.toInstant(ZoneOffset.UTC);
            case "10":
                ByteBuffer buffer = ByteBuffer.wrap(bytes(value));
                return new UUID(buffer.getLong(), buffer.getLong());
            case "11": return bytes(value);
            default: return null;
        }
    }

    private static LocalDate date(long days) {
        return Math.abs(days) > Integer.MAX_VALUE - 1L ? null : EPOCH.toLocalDate().plusDays(days);
    }

    private static LocalDateTime timestamp(long microseconds) {
        return microseconds == Long.MIN_VALUE || microseconds == Long.MAX_VALUE ? null :
            EPOCH.plus(microseconds, ChronoUnit.MICROS);
    }

    /** Each filter of the vectors, and what is built of its members. */
    private static void testVectors(List<String[]> lines) {
        Set<String> families = new TreeSet<>();
        Filter filter = null, built = null;
        String expected = null;
        int complete = 0;

        for (String[] line : lines) {
            if (line[0].equals("filter")) {
                if (built != null) {
                    check(built.toString().equals(expected), expected);
                    complete++;
                }
                expected = string(line[2]);
                filter = Filter.parse(expected);
                check(filter.toString().equals(expected), expected);
                check(Arrays.equals(filter.toBytes(), bytes(line[3])), expected);
                check(Filter.parse(filter.toBytes()).toString().equals(expected), expected);
                built = line[16].equals("1") ?
                    new Filter(Double.parseDouble(line[4]), Double.parseDouble(line[5]), Long.parseLong(line[6])) : null;
            } else if (line[0].equals("grow")) {
                break;
            } else if (line[0].equals("member") || line[0].equals("other")) {
                Object value = value(line[1], line[3]);

                if (value == null) {
                    // not all of its members
                    built = line[0].equals("member") ? null : built;
                    continue;
                }
                check(filter.has(value) == (line[0].equals("member") || line[4].equals("1")), expected + value);
                if (line[0].equals("member")) {
                    families.add(line[1]);
                    if (built != null)
                        built.add(value);
                }
            }
        }
        check(families.size() == 10 && complete >= 20, families + " " + complete);
        group("vectors", 1000);
    }

    private static void testErrors(List<String[]> lines) {
        for (String[] line : lines) {
            if (!line[0].equals("malformed") || !line[1].equals("text") || !line[3].equals("error"))
                continue;
            String text = string(line[2]);
            try {
                Filter.parse(text);
                check(false, text);
            } catch (BloomfilterException e) {
                // parse() looks at more forms than text
                if (text.trim().equals(text) && !text.startsWith("counting_"))
                    check(e.sqlState.equals(string(line[4])) && e.getMessage().equals(string(line[5])) &&
                          e.detail.equals(string(line[6])) && e.hint.equals(string(line[7])), e);
            }
        }
        Filter filter = new Filter(10, 0.01, 0);
        checkError("22023", () -> new Filter(10, 1, 0));
        try {
            check(new Filter(0.01, 1000, 0) == null, "a rate before the number");
        } catch (BloomfilterException e) {
            check(e.hint.startsWith("The number of values comes first"), e);
        }
        checkError("22021", () -> filter.add("a\0"));
        checkError("22021", () -> filter.add("\ud83d"));
        checkError("42804", () -> filter.add('a'));
        checkError("42804", () -> filter.add(null));
        checkError("42804", () -> filter.add(BigInteger.ONE));
        checkError("22008", () -> filter.add(Instant.ofEpochSecond(0, 1)));
        checkError("22008", () -> filter.add(LocalTime.MAX));
        checkError("22008", () -> filter.add(Instant.MAX));
        checkError("22008", () -> filter.add(LocalDateTime.MIN));
        checkError("22008", () -> filter.add(LocalDate.MAX));
        // between them, these are an int, and what is infinite to PostgreSQL
        for (long days : new long[] {Integer.MIN_VALUE - 1L, Integer.MIN_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE + 1L})
            checkError("22008", () -> filter.add(LocalDate.of(2000, 1, 1).plusDays(days)));
        for (Runnable call : List.<Runnable>of(() -> Filter.parse((byte[]) null), () -> Filter.parse((String) null),
                                               () -> filter.addAll(null), () -> filter.hasAll(null)))
            try {
                call.run();
                check(false, "null was taken");
            } catch (NullPointerException e) {
                check(true, e);
            }
        filter.add("1");
        checkError("42804", () -> filter.has(1));
        checkError("42804", () -> filter.addAll(new long[] {1}));
        checkError("42804", () -> filter.hasAll(new long[] {1}));
        checkError("22023", () -> filter.unite(new Filter(1000, 0.01, 0)));
        check(filter.has("1") && !filter.has("2"), "what failed has changed nothing");
        group("errors", 40);
    }

    private static void testClosed() {
        Filter filter = new Filter(10, 0.01, 0);

        filter.close();
        filter.close();
        for (Runnable call : List.<Runnable>of(() -> filter.add(1), () -> filter.has(1), filter::toString, filter::toBytes,
                                               filter::copy, () -> filter.unite(filter)))
            try {
                call.run();
                check(false, "a closed filter was used");
            } catch (IllegalStateException e) {
                check(true, e);
            }
        group("closed filters", 6);
    }

    private static long residentKilobytes() throws IOException {
        String status = Files.readString(Path.of("/proc/self/status"));

        return Long.parseLong(status.replaceAll("(?s).*VmRSS:\\s+(\\d+) kB.*", "$1"));
    }

    /** 2.4 GB, if those that are not used any more were not freed. */
    private static void testCollected() throws IOException, InterruptedException {
        Filter large = new Filter(50000000, 0.01, 0);

        large.addAll(LongStream.range(0, 1000000).toArray());
        for (int i = 0; i < 40; i++) {
            check(large.copy().has(i), i);
            System.gc();
        }
        // they are freed by a thread of its own
        for (int i = 0; i < 100 && residentKilobytes() > 1000000; i++) {
            System.gc();
            Thread.sleep(100);
        }
        check(residentKilobytes() < 1000000, residentKilobytes() + " kB");
        group("filters that are not closed", 41);
    }

    private static void testMany() {
        long[] values = LongStream.range(0, 1000).map(i -> i * 7919).toArray();
        Filter filter = new Filter(1000, 0.01, 0);

        filter.addAll(new long[0]);
        filter.addAll(values);
        values[0] = -1;
        boolean[] found = filter.hasAll(values);
        for (int i = 0; i < values.length; i++)
            check(found[i] == filter.has(values[i]) && (found[i] || i == 0), values[i]);
        check(filter.hasAll(new long[0]).length == 0, "nothing");
        filter = new Filter(10, 0.01, 0);
        filter.add(OffsetDateTime.parse("2024-02-29T12:00:00.000001+02:00"));
        check(filter.has(Instant.parse("2024-02-29T10:00:00.000001Z")), "a time in another zone");
        group("arrays", 1000);
    }

    /** Threads with filters of their own, and one that all of them change. */
    private static void testThreads() {
        Filter whole = new Filter(100000, 0.01, 0), expected = new Filter(100000, 0.01, 0);

        IntStream.range(0, 16).parallel().forEach(part -> {
            try (Filter filter = new Filter(100000, 0.01, 0)) {
                for (long i = part; i < 100000; i += 16)
                    filter.add(i);
                whole.unite(filter);
                whole.toString();
            }
        });
        expected.addAll(LongStream.range(0, 100000).toArray());
        check(whole.toString().equals(expected.toString()), "the union is not the filter of all");
        group("threads", 1);
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String[]> lines = new ArrayList<>();

        for (String line : Files.readAllLines(Path.of(arguments[0])))
            lines.add(line.split("\t", -1));
        testVectors(lines);
        testErrors(lines);
        testClosed();
        testMany();
        testThreads();
        testCollected();
        System.exit(failed ? 1 : 0);
    }
}
