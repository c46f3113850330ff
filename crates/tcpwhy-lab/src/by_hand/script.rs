//! Macro for lines of the script, and names in it.

/// Names of the ends' namespaces.
pub(super) const NAMESPACES: [&str; 2] = ["tw-sender", "tw-receiver"];

pub(super) const PATH: &str = "tw-path";

/// Names of the interfaces that face the ends.
pub(super) const FACING: [&str; 2] = ["path-s", "path-r"];

/// Function by which all Python programs read messages.
pub(super) const READ_EXACTLY: &str = "\
def read_exactly(n):
    while n > 0:
        got = s.recv(min(n, 262144))
        if not got:
            raise SystemExit
        n -= len(got)";

/// Appends a line to the script; writing to a `String` cannot fail.
macro_rules! line {
    ($out:expr, $($text:tt)*) => {{
        let _ = writeln!($out, $($text)*);
    }};
}
pub(super) use line;
