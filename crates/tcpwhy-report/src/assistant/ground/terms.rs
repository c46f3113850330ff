//! Tests that each basis has its ground: mixing two up fails a test.

use super::*;

#[test]
fn grounds_of_numbers() {
    for (basis, expected, text) in [
        (Basis::KernelReported, Ground::Exact, "\"exact\""),
        (Basis::WireExact, Ground::Exact, "\"exact\""),
        (Basis::KernelInferred, Ground::Inferred, "\"inferred\""),
        (Basis::WireInferred, Ground::Inferred, "\"inferred\""),
        (Basis::Assumed, Ground::Assumed, "\"assumed\""),
    ] {
        assert_eq!((Ground::of(basis), Ground::of_id(basis.id())), (expected, expected), "{}", basis.id());
        assert_eq!(serde_json::to_string(&expected).unwrap_or_default(), text);
    }
    assert_eq!(Ground::of_id("unknown"), Ground::Inferred, "an id that nobody knows");
}
