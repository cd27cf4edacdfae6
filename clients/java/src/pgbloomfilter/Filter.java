package pgbloomfilter;

import java.lang.ref.Cleaner;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A bloomfilter of PostgreSQL. Any number of threads may use it, one at a time: others wait.
 *
 * <p>Values are Long, Integer or Short (bigint), String (text), Double or Float (double precision), Boolean, LocalDate,
 * LocalTime, LocalDateTime (timestamp), OffsetDateTime or Instant (timestamptz), UUID, and byte[] (bytea).
 */
public final class Filter implements AutoCloseable {
    static {
        System.loadLibrary("pgbloomfilter_java");
    }

    private static final Cleaner CLEANER = Cleaner.create();

    /** Frees the filter once, by close() or after the garbage collector has found it. Must not refer to it. */
    private static final class Memory implements Runnable {
        private long address;

        @Override
        public void run() {
            free(address);
            address = 0;
        }
    }

    private final Memory memory = new Memory();
    private final Cleaner.Cleanable cleanable = CLEANER.register(this, memory);

    private Filter(long address) {
        memory.address = address;
    }

    /**
     * An empty filter for so many distinct values, at that false positive rate: 0.01 is 1 %. Filters with the same
     * arguments can be united.
     */
    public Filter(double expectedItems, double rate, long seed) {
        this(create(expectedItems, rate, seed));
    }

    /** Reads a filter in any form: text, binary, hexadecimal, base64. */
    public static Filter parse(byte[] input) {
        return new Filter(read(Objects.requireNonNull(input)));
    }

    public static Filter parse(String text) {
        return parse(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Frees the filter's memory at once. Without it the garbage collector does, which knows only of a few bytes. */
    @Override
    public synchronized void close() {
        cleanable.clean();
    }

    private long address() {
        if (memory.address == 0)
            throw new IllegalStateException("the filter is closed");
        return memory.address;
    }

    public synchronized void add(Object value) {
        Value v = Value.of(value);

        if (v.bytes != null)
            addBytes(address(), v.family, v.bytes);
        else if (v.family == Value.FLOAT)
            addFloat(address(), v.real);
        else
            addNumber(address(), v.family, v.number);
    }

    /** Is the value in the filter? false is certain, true is not. */
    public synchronized boolean has(Object value) {
        Value v = Value.of(value);

        if (v.bytes != null)
            return hasBytes(address(), v.family, v.bytes);
        if (v.family == Value.FLOAT)
            return hasFloat(address(), v.real);
        return hasNumber(address(), v.family, v.number);
    }

    /** Adds many values, faster than one by one. */
    public synchronized void addAll(long[] values) {
        addNumbers(address(), Value.INTEGER, Objects.requireNonNull(values));
    }

    /** Tests many values, faster than one by one. */
    public synchronized boolean[] hasAll(long[] values) {
        return hasNumbers(address(), Value.INTEGER, Objects.requireNonNull(values));
    }

    /** Adds all values of a filter that was made with the same arguments. */
    public void unite(Filter other) {
        // nobody else knows the copy, so only one filter is locked at a time
        try (Filter copy = other.copy()) {
            synchronized (this) {
                unite(address(), copy.address());
            }
        }
    }

    public synchronized Filter copy() {
        return new Filter(copy(address()));
    }

    /** The binary form, which PostgreSQL casts from bytea. */
    public synchronized byte[] toBytes() {
        return toBytes(address());
    }

    /** The text form, which PostgreSQL reads as a parameter: names of types may have quotes and backslashes. */
    @Override
    public synchronized String toString() {
        return new String(toText(address()), StandardCharsets.US_ASCII);
    }

    private static native long create(double expectedItems, double rate, long seed);

    private static native long read(byte[] input);

    private static native void free(long address);

    // Not static, so that the filter cannot be collected while they run.

    private native void addNumber(long address, int family, long value);

    private native void addFloat(long address, double value);

    private native void addBytes(long address, int family, byte[] value);

    private native void addNumbers(long address, int family, long[] values);

    private native boolean hasNumber(long address, int family, long value);

    private native boolean hasFloat(long address, double value);

    private native boolean hasBytes(long address, int family, byte[] value);

    private native boolean[] hasNumbers(long address, int family, long[] values);

    private native void unite(long address, long other);

    private native long copy(long address);

    private native byte[] toBytes(long address);

    private native byte[] toText(long address);
}
