//! Names that programs use from this crate although other crates define them. `scripts/semver` does not
//! detect that one of them is missing. A name may be removed from this list only with a new version.

#[allow(unused_imports, reason = "they only have to exist")]
mod engine {
    use tcpwhy_engine::{
        Anomaly, Basis, CaptureError, CaptureReader, CaptureStatus, CaptureSummary, Cause, Claim, Connection, Decider,
        Detail, Distribution, Endpoint, Estimate, Evidence, Exchange, Exchanges, Finding, Fix, Folds, HalfConnection,
        Interval, KernelView, Legs, Limit, LimitTimeline, LimitTotal, Pairs, Prediction, Problem, Problems, Rate,
        RecordingGaps, Role, Service, Services, Severity, Side, Span, Timestamp, Verdict, VerdictReason,
    };
}

#[allow(unused_imports, reason = "they only have to exist")]
mod watch {
    use tcpwhy_watch::{Cause, KernelSample, Limit, LimitTimeline, SocketKey, Timestamp};
}

/// The list above is complete: it has every name that the engine re-exports.
#[test]
fn every_name_is_listed() {
    let names = |text: &str, crates: &[&str]| -> Vec<String> {
        let blocks = text.split("use ").filter(|block| crates.iter().any(|name| block.starts_with(name)));
        let words =
            blocks.flat_map(|block| block.split(';').next().unwrap_or_default().split(|c: char| !c.is_alphanumeric()));
        let mut names: Vec<_> =
            words.filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase())).map(str::to_owned).collect();
        names.sort();
        names
    };
    let own = include_str!("reexports.rs");
    let (own, _) = own.split_once("#[test]").unwrap_or_default();
    let engine = include_str!("../src/lib.rs");
    // The text from the first re-export on; the examples are before it.
    let (_, engine) = engine.split_once("pub use source::").unwrap_or_default();
    let others = ["tcpwhy_analysis::", "tcpwhy_capture::", "tcpwhy_model::"];
    assert_eq!(names(own, &["tcpwhy_engine::"]), names(engine, &others));
}
