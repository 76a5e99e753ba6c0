/// Which grammar a text is read by.
package enum JSONDialect: Sendable {
    /// RFC 8259 to the letter, with what real producers send forgiven where it can be: a byte order mark at the start
    /// is passed over; NaN, Infinity, -Infinity, a number beyond any double and a string with half a surrogate pair
    /// become null, so that only that value is lost; a member whose key has half a surrogate pair is dropped.
    case json

    /// JSON5 (spec.json5.org), for files that people write. NaN, infinities and numbers beyond any double are read as
    /// `.number` of NaN or infinity, so that the reader of the file can refuse them by the name of their key;
    /// half a surrogate pair is a syntax error.
    case json5
}
