// Errors, in the words of the server and with its SQLSTATE.

export class BloomFilterError extends Error {
    constructor(code, message, detail, hint) {
        super(message);
        this.name = 'BloomFilterError';
        this.code = code;
        this.detail = detail;
        this.hint = hint;
    }
}
