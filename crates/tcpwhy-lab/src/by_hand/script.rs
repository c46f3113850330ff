//! The script that is written, and names in it.

/// Of the namespaces.
pub(super) const NAMESPACES: [&str; 2] = ["tw-sender", "tw-receiver"];

pub(super) const PATH: &str = "tw-path";

/// Of the interfaces that face the ends.
pub(super) const FACING: [&str; 2] = ["path-s", "path-r"];

/// In Python, as all programs read messages.
pub(super) const READ_EXACTLY: &str = "\
def read_exactly(n):
    while n > 0:
        got = s.recv(min(n, 262144))
        if not got:
            raise SystemExit
        n -= len(got)";

/// A line of the script; a `String` takes everything.
macro_rules! line {
    ($out:expr, $($text:tt)*) => {{
        let _ = writeln!($out, $($text)*);
    }};
}
pub(super) use line;
