import CLinux
import Glibc

extension Unicode.Scalar {
    /// The columns it takes on a terminal: two for East Asian characters and emoji, none for marks that combine with
    /// the character before, one for what the C library does not know. Sets the process's LC_CTYPE to C.UTF-8.
    package var terminalColumns: Int {
        guard !isASCII, Self.isLocaleSet else { return 1 }
        let columns = clinux_character_columns(value)
        return columns < 0 ? 1 : Int(columns)
    }

    /// wcwidth(3) goes by the locale's character set, and a width must not depend on the user's.
    private static let isLocaleSet = setlocale(LC_CTYPE, "C.UTF-8") != nil
}
