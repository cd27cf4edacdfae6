package pgbloomfilter;

import java.nio.charset.StandardCharsets;

/** Has what the server has for the same error. The detail and the hint may be empty. */
public class BloomfilterException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public final String sqlState;
    public final String detail;
    public final String hint;

    BloomfilterException(String sqlState, String message, String detail, String hint) {
        super(message);
        this.sqlState = sqlState;
        this.detail = detail;
        this.hint = hint;
    }

    /** Called by the C code. */
    private BloomfilterException(byte[] sqlState, byte[] message, byte[] detail, byte[] hint) {
        this(utf8(sqlState), utf8(message), utf8(detail), utf8(hint));
    }

    private static String utf8(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
