//! The finding whose change is proposed first.

use tcpwhy_model::{Cause, Detail, Finding, Limit, Prediction, Severity};

use crate::diagnosis::explains;
use crate::outcome::HalfConnection;
use crate::thresholds::LITTLE_GAIN;

/// Whether the sender had nothing to send for most of the time, and the packets show no fault in that.
pub fn is_rest(half: &HalfConnection) -> bool {
    let is_application = half.verdict.cause.is_some_and(|c| c.limit == Limit::Application);
    is_application && half.verdict.severity == Some(Severity::Info)
}

/// Returns the finding that explains the verdict: the first one, or the first with a fix.
///
/// If the connection mostly paused, the finding must still save time: other fixes only help users who did not
/// intend the pauses. The same applies if it waited for an answer or a request, because the exchanges show
/// the party that took that time.
pub fn leading_finding(half: &HalfConnection) -> Option<&Finding> {
    half.verdict.severity?;
    if is_rest(half) || is_explained_elsewhere(half) {
        let now = half.span.seconds();
        let saves = |f: &&Finding| f.prediction.as_ref().is_some_and(|p| is_gain(p, now));
        return half.findings.iter().filter(|f| f.severity > Severity::Info && !f.fixes.is_empty()).find(saves);
    }
    // A mere note does not replace the data that is missing in the capture.
    let is_known = half.verdict.cause != Some(Cause::plain(Limit::Unobserved));
    let says_what = |f: &&Finding| !f.fixes.is_empty() && (is_known || f.severity > Severity::Info);
    half.findings.first().filter(says_what).or_else(|| half.findings.iter().find(says_what))
}

/// Whether the direction waited for its program or its peer and none of its findings is about that. The
/// findings about the connection's requests are.
fn is_explained_elsewhere(half: &HalfConnection) -> bool {
    let is_waiting = half.verdict.cause.is_some_and(|c| matches!(c.detail, Some(Detail::Think | Detail::PeerTurn)));
    is_waiting && !half.findings.iter().any(|finding| explains(finding, &half.verdict))
}

/// Whether a fix saves enough time to be called a gain.
pub fn is_gain(prediction: &Prediction, now: f64) -> bool {
    prediction.least_claimed() <= LITTLE_GAIN.get() * now
}

#[cfg(test)]
mod tests {
    use super::super::testing::{finding, half};
    use super::*;
    use crate::outcome::Role;

    /// The first finding with a fix leads. For a paused sender it must save time.
    #[test]
    fn the_first_finding_that_says_what_to_change_leads() {
        use Severity::{Critical, Info, Warning};
        let (buffer, idle) = (Cause::plain(Limit::SendBuffer), Cause::from(Detail::Idle));
        let (think, turn) = (Cause::from(Detail::Think), Cause::from(Detail::PeerTurn));
        let note = |rule| finding(rule, Info, 1, Some(1.0));
        let found = |rule, fixes, seconds| finding(rule, Warning, fixes, seconds);
        for (what, cause, severity, findings, expected) in [
            ("the first", buffer, Some(Critical), vec![found("a", 1, None), found("b", 1, None)], Some("a")),
            ("the first has no fix", buffer, Some(Critical), vec![found("a", 0, None), found("b", 1, None)], Some("b")),
            ("none has a fix", buffer, Some(Critical), vec![found("a", 0, None)], None),
            ("a note counts", buffer, Some(Info), vec![note("a")], Some("a")),
            ("nothing held it back", buffer, None, vec![found("a", 1, None)], None),
            ("a rest, and a gain", idle, Some(Info), vec![found("a", 1, None), found("b", 1, Some(9.0))], Some("b")),
            ("a rest, and little gain", idle, Some(Info), vec![found("a", 1, Some(9.1))], None),
            ("a rest, and a gain without a fix", idle, Some(Info), vec![found("a", 0, Some(1.0))], None),
            ("a rest, and a note", idle, Some(Info), vec![note("a")], None),
            ("pauses that matter", idle, Some(Warning), vec![found("a", 1, None)], Some("a")),
            ("another finding", think, Some(Critical), vec![found("a", 1, None)], None),
            ("another finding, and a gain", think, Some(Critical), vec![found("a", 1, Some(9.0))], Some("a")),
            ("the peer's turn", turn, Some(Warning), vec![found("a", 1, None)], None),
            (
                "its own finding",
                think,
                Some(Critical),
                vec![found("application-think", 1, None)],
                Some("application-think"),
            ),
        ] {
            let half = half(Role::Server, severity, &[(10, cause)], findings);
            assert_eq!(leading_finding(&half).map(|finding| finding.rule), expected, "{what}");
        }
    }

    /// `LITTLE_GAIN`: a gain is at least 10 % of the time.
    #[test]
    fn a_gain_is_a_tenth() {
        for (seconds, expected) in [(8.99, true), (9.01, false), (10.0, false), (12.0, false)] {
            let found = finding("a", Severity::Warning, 1, Some(seconds));
            assert_eq!(is_gain(&found.prediction.unwrap(), 10.0), expected, "{seconds} of 10 s");
        }
    }
}
