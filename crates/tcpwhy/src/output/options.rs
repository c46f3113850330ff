//! Every option whose value is a path, by the use of that path. A unit test compares the lists with the
//! command line, and `tests/outputs.rs` tries every option that writes.

/// Options whose file or folder is written, by command; a name in capitals is a positional argument.
pub(crate) const WRITTEN: &[(&str, &str)] = &[
    ("", "--write"),
    ("", "--html"),
    ("", "--svg"),
    ("", "--annotate"),
    ("", "--parquet"),
    ("compare", "--html"),
    ("buffers", "--svg"),
    ("audit", "--save"),
    ("record", "--output"),
    ("export", "--output"),
    ("man", "DIR"),
    ("predict", "--pcapng"),
    ("sim run", "--pcapng"),
    ("lab new", "FILE.toml"),
    ("lab run", "--out"),
    ("lab compare", "--out"),
    ("lab compare", "--html"),
    ("lab book", "DIR"),
    ("lab book", "--recordings"),
    ("lab prove", "--scenario"),
    ("lab prove", "--out"),
    ("lab score", "--out"),
    ("lab score", "--markdown"),
];

/// Options whose file or folder is only read.
#[allow(dead_code, reason = "tests of what is written do not need it")]
pub(crate) const READ: &[(&str, &str)] = &[
    ("", "FILE"),
    ("", "--anonymize-key-file"),
    ("serve", "FILE"),
    ("serve", "--anonymize-key-file"),
    ("compare", "A"),
    ("compare", "B"),
    ("compare", "--anonymize-key-file"),
    ("buffers", "--sysctl-file"),
    ("audit", "SAVED"),
    ("audit", "--sysctl-file"),
    ("audit", "--anonymize-key-file"),
    ("mcp", "FOLDER"),
    ("mcp", "--anonymize-key-file"),
    ("predict", "FILE"),
    ("sim score", "DIR"),
    ("lab prove", "FILE"),
    ("lab score", "DIR"),
    ("lab shell", "COMMAND"),
];
