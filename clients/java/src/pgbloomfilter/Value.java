package pgbloomfilter;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.UUID;

/** A value as it is passed to C: a number, a float, or bytes, of a family of pgbloomfilter.h. */
final class Value {
    static final int INTEGER = 1, TEXT = 2, FLOAT = 4, BOOLEAN = 5, DATE = 6, TIME = 7, TIMESTAMP = 8, TIMESTAMPTZ = 9,
        UUID_FAMILY = 10, BYTEA = 11;

    /** From Java's epoch to PostgreSQL's. */
    private static final long DAYS_1970_TO_2000 = 10957, SECONDS_1970_TO_2000 = DAYS_1970_TO_2000 * 86400;

    /** What PostgreSQL's timestamps hold, in seconds since 2000. */
    private static final long FIRST_SECONDS = -211813488000L, END_SECONDS = 9223371331200L;

    final int family;
    final long number;
    final double real;
    /** null unless it is passed so. */
    final byte[] bytes;

    private Value(int family, long number, double real, byte[] bytes) {
        this.family = family;
        this.number = number;
        this.real = real;
        this.bytes = bytes;
    }

    private static Value number(int family, long number) {
        return new Value(family, number, 0, null);
    }

    /** What PostgreSQL's type a value of Java's has. */
    static Value of(Object value) {
        if (value instanceof Long || value instanceof Integer || value instanceof Short)
            return number(INTEGER, ((Number) value).longValue());
        if (value instanceof String)
            return new Value(TEXT, 0, 0, utf8((String) value));
        if (value instanceof Double || value instanceof Float)
            return new Value(FLOAT, 0, ((Number) value).doubleValue(), null);
        if (value instanceof Boolean)
            return number(BOOLEAN, (Boolean) value ? 1 : 0);
        if (value instanceof LocalDate)
            return date((LocalDate) value);
        if (value instanceof LocalTime)
            return number(TIME, microseconds(((LocalTime) value).toNanoOfDay()));
        if (value instanceof LocalDateTime)
            return timestamp(TIMESTAMP, ((LocalDateTime) value).toInstant(ZoneOffset.UTC));
        if (value instanceof OffsetDateTime)
            return timestamp(TIMESTAMPTZ, ((OffsetDateTime) value).toInstant());
        if (value instanceof Instant)
            return timestamp(TIMESTAMPTZ, (Instant) value);
        if (value instanceof UUID)
            return new Value(UUID_FAMILY, 0, 0, uuid((UUID) value));
        if (value instanceof byte[])
            return new Value(BYTEA, 0, 0, (byte[]) value);
        throw new BloomfilterException("42804",
            (value == null ? "null" : "an object of " + value.getClass().getName()) + " has no type in PostgreSQL", "", "");
    }

    /** A lone surrogate would become a question mark, and that another value. */
    static byte[] utf8(String text) {
        try {
            ByteBuffer buffer = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            throw new BloomfilterException("22021", "a string with lone surrogates is no text in UTF-8", "", "");
        }
    }

    private static byte[] uuid(UUID uuid) {
        return ByteBuffer.allocate(16).putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits())
            .array();
    }

    /** A time that PostgreSQL cannot hold would be rounded when it is stored, and have another hash than that. */
    private static long microseconds(long nanoseconds) {
        if (nanoseconds % 1000 != 0)
            throw new BloomfilterException("22008", "no timestamp has fractions of a microsecond", "",
                "Round the value to microseconds, as it was when it was stored.");
        return nanoseconds / 1000;
    }

    /** The first and the last int are infinite dates to PostgreSQL.  Other dates that it cannot hold are found in C. */
    private static Value date(LocalDate date) {
        long days = date.toEpochDay() - DAYS_1970_TO_2000;

        if (days == Integer.MIN_VALUE || days == Integer.MAX_VALUE)
            throw new BloomfilterException("22008", "date out of range", "", "");
        return number(DATE, days);
    }

    private static Value timestamp(int family, Instant instant) {
        long seconds = instant.getEpochSecond() - SECONDS_1970_TO_2000;

        if (seconds < FIRST_SECONDS || seconds >= END_SECONDS)
            throw new BloomfilterException("22008", "timestamp out of range", "", "");
        return number(family, seconds * 1000000 + microseconds(instant.getNano()));
    }
}
