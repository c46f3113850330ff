//! Test that Python's stub has the facts that are declared once. `UPDATE_EXPECT=1 cargo test -p tcpwhy-report
//! --test stubs` writes them.
#![allow(clippy::unwrap_used, reason = "a test that fails says so")]

use std::fmt::Write as _;
use std::path::Path;

use tcpwhy_report::dto::{AllHalfFacts, AllServiceFacts, ExchangeFacts, FactKind, Facts};

const BEGIN: &str = "    # Made from the facts of crates/tcpwhy-report/src/dto.\n";
const END: &str = "    # Until here.\n";

/// The lines of a class in the stub.
fn lines<F: Facts>() -> String {
    let mut lines = String::new();
    for fact in F::facts() {
        let kind = match fact.kind {
            FactKind::Tiny | FactKind::Port | FactKind::Integer => "int",
            FactKind::Real => "float",
            FactKind::Truth => "bool",
            FactKind::Text => "str",
        };
        let or_none = if fact.is_nullable { " | None" } else { "" };
        let _ = writeln!(lines, "    @property\n    def {}(self) -> {kind}{or_none}: ...", fact.name);
    }
    lines
}

/// Replaces the lines between the marks of a class in `stub`.
fn with(stub: &str, class: &str, lines: &str) -> String {
    let start = stub.find(&format!("class {class}:\n")).unwrap();
    let from = start + stub[start..].find(BEGIN).unwrap() + BEGIN.len();
    let to = from + stub[from..].find(END).unwrap();
    [&stub[..from], lines, &stub[to..]].concat()
}

#[test]
fn the_stub_has_all_facts() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/tcpwhy/_tcpwhy.pyi");
    // A published crate contains no Python module.
    let Ok(stub) = std::fs::read_to_string(&path) else { return };
    let right = with(&stub, "Half", &lines::<AllHalfFacts>());
    let right = with(&right, "Service", &lines::<AllServiceFacts>());
    let right = with(&right, "Exchange", &lines::<ExchangeFacts>());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &right).unwrap();
    } else {
        assert_eq!(stub, right);
    }
}
