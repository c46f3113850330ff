//! Results of lab runs: the data that text and JSON are made from.

use std::collections::BTreeMap;

use tcpwhy_analysis::{Connection, HalfConnection, Verdict};
use tcpwhy_model::{ByGroup, Cause, Finding};

use crate::{Args, Wording};

/// A scenario, for lists.
#[derive(Clone, Debug)]
pub struct LabEntry {
    /// Its name.
    pub name: String,
    /// Its title in the reader's language.
    pub title: String,
    /// Right verdicts, the intended one first; `None`: no limit is worth a change.
    pub expected: Vec<Option<Cause>>,
}

/// One run and the verdicts on its captures.
#[derive(Clone, Debug)]
pub struct LabRun {
    /// The scenario.
    pub entry: LabEntry,
    /// Folder of the recording.
    pub folder: String,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Payload bytes that arrived.
    pub bytes: u64,
    /// Seconds from opening the connection until everything was read.
    pub seconds: f64,
    /// Goodput, bits per second.
    pub goodput: f64,
    /// Bytes and seconds that the original report of the case gives.
    pub reported: Option<(u64, f64)>,
    /// Verdicts on the capture at the sender and at the receiver.
    pub views: [LabView; 2],
    /// Rules that should find something in the sender's capture, and whether they did.
    pub findings: Vec<(String, bool)>,
    /// Reasons to distrust the run.
    pub doubts: Vec<String>,
    /// Expected verdicts that the run's own measurement contradicts.
    pub contradictions: Vec<Contradiction>,
    /// Error that broke the connection, if there was one.
    pub broken: Option<String>,
    /// Measurements of the kernels.
    pub kernel: KernelNumbers,
    /// Real limits of the sender, as shares of the samples of its socket, taken every few milliseconds.
    pub truth: ByGroup<f64>,
}

/// The verdict on one capture.
#[derive(Clone, Debug)]
pub struct LabView {
    /// Right verdicts for this capture.
    pub expected: Vec<Option<Cause>>,
    /// Known wrong verdicts for this capture.
    pub known_wrong: Vec<Option<Cause>>,
    /// Whether one of the known wrong verdicts is expected in every run, so that a right one is unexpected.
    pub is_always_wrong: bool,
    /// Connection and direction in question; `None` if none of its payload was captured.
    pub said: Option<Box<(Connection, HalfConnection)>>,
    /// Subject and fix of the first three lines.
    pub headline: LabHeadline,
    /// Counters of that host's kernel.
    pub counted: LabCounted,
    /// Expected end of the connection; `None` if no particular end is expected.
    pub outcome: Option<LabOutcome>,
}

/// The end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabEnding {
    /// FIN from both ends.
    Closed,
    /// Reset by the sender of the data in question.
    ResetBySender,
    /// Reset by the receiver of the data.
    ResetByReceiver,
    /// A request was acknowledged but never answered.
    Unanswered,
}

/// The end of a connection according to `explain`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportedEnding {
    /// The connection ended in this way.
    Ended(LabEnding),
    /// The capture shows no end.
    Open,
    /// `explain` has no word for an end like the expected one.
    NotReported,
}

/// The expected end of a scenario's connection, and the reported one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabOutcome {
    /// End according to the scenario.
    pub expected: LabEnding,
    /// End according to `explain`.
    pub reported: ReportedEnding,
}

impl LabEnding {
    /// Stable id: `closed`, `reset-by-sender`, `reset-by-receiver` or `unanswered`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::ResetBySender => "reset-by-sender",
            Self::ResetByReceiver => "reset-by-receiver",
            Self::Unanswered => "unanswered",
        }
    }
}

impl LabOutcome {
    /// Whether `explain` is right; `None` if it has no word for such an end.
    pub fn is_right(self) -> Option<bool> {
        match self.reported {
            ReportedEnding::Ended(ending) => Some(ending == self.expected),
            ReportedEnding::Open => Some(false),
            ReportedEnding::NotReported => None,
        }
    }

    /// Id of the reported end; `None` if there is no word for it.
    pub const fn reported_id(self) -> Option<&'static str> {
        match self.reported {
            ReportedEnding::Ended(ending) => Some(ending.id()),
            ReportedEnding::Open => Some("open"),
            ReportedEnding::NotReported => None,
        }
    }
}

/// Subject and fix of the first three lines (`-q`) about a capture, compared with the right ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabHeadline {
    /// Connection that they are about.
    pub subject: HeadlineSubject,
    /// Id of the proposed fix, or of its rival if only the rival removes the cause.
    pub fix: Option<&'static str>,
    /// Ids of fixes that remove the cause; `None` among them means that no proposal is right too. Empty if no
    /// fix is expected.
    pub right_fixes: Vec<Option<&'static str>>,
    /// Whether the proposed fix removes the cause; `None` if no fix is expected.
    pub is_fix_right: Option<bool>,
}

/// The subject of the first three lines, compared with the transfer in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeadlineSubject {
    /// The connection in question, in the direction in question.
    InQuestion,
    /// The connection in question, in its other direction.
    OtherDirection,
    /// Another connection.
    OtherConnection,
    /// No connection carried data, or the one in question carried none.
    Nobody,
}

impl HeadlineSubject {
    /// Stable id, as in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::InQuestion => "in_question",
            Self::OtherDirection => "other_direction",
            Self::OtherConnection => "other_connection",
            Self::Nobody => "nobody",
        }
    }

    /// Whether it is the connection and direction in question.
    pub const fn is_right(self) -> bool {
        matches!(self, Self::InQuestion)
    }
}

/// Counters of one end's kernel during a transfer.
#[derive(Clone, Debug, Default)]
pub struct LabCounted {
    /// Counters by their `nstat` names; empty if unknown.
    pub counters: BTreeMap<String, u64>,
    /// Counters that should increase.
    pub expected: Vec<String>,
    /// Findings of an audit from these counters.
    pub findings: Vec<Finding>,
}

/// An expected verdict that the measured shares of time contradict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contradiction {
    /// The verdict in the scenario.
    pub expected: Option<Cause>,
    /// Measured share of its time.
    pub share: f64,
    /// Measured share that is larger.
    pub larger: f64,
    /// Whether it is the first of the list, which should have the largest share.
    pub is_first: bool,
}

/// Measurements of both kernels from their sockets.
#[derive(Clone, Copy, Debug, Default)]
pub struct KernelNumbers {
    /// Smallest round-trip time, seconds.
    pub min_rtt: Option<f64>,
    /// Largest send buffer of the sender, bytes.
    pub send_buffer: Option<u64>,
    /// Largest receive buffer of the receiver, bytes.
    pub receive_buffer: Option<u64>,
    /// Number of retransmitted segments.
    pub retransmits: Option<u64>,
    /// Seconds with data to send or in flight, by the sender's own chronometers.
    pub busy: f64,
    /// Part of the busy seconds limited by the receiver's window.
    pub rwnd_limited: f64,
    /// Part of the busy seconds limited by the send buffer, as far as the kernel notices.
    pub sndbuf_limited: f64,
}

/// The time of one scenario divided by the time of another.
#[derive(Clone, Debug)]
pub struct LabRatio {
    /// Scenario whose time is divided.
    pub name: String,
    /// Scenario whose time is the divisor.
    pub to: String,
    /// Measured ratio, for the same number of bytes.
    pub measured: f64,
    /// Expected minimum.
    pub at_least: f64,
    /// Expected maximum.
    pub at_most: Option<f64>,
    /// Whether one of the runs is itself in doubt.
    pub is_doubtful: bool,
}

/// The result of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabVerdict {
    /// Everything is as expected.
    AsExpected,
    /// Something is not as expected, but the run itself is in doubt.
    Unreliable,
    /// Something is not as expected.
    Unexpected,
}

impl LabView {
    /// Whether the verdict is right, or is the known wrong one. Without expected verdicts any is right.
    pub fn is_expected(&self) -> bool {
        self.said.as_ref().is_some_and(|said| {
            let said = &said.1.verdict;
            let is_known_wrong = !self.known_wrong.is_empty() && is_among(&self.known_wrong, said);
            is_known_wrong || (!self.is_always_wrong && is_among(&self.expected, said))
        })
    }

    /// Whether the reported end of the connection is right, or none is reported.
    pub fn is_outcome_right(&self) -> bool {
        self.outcome.is_none_or(|outcome| outcome.is_right() != Some(false))
    }

    /// Whether a right verdict has replaced the known wrong one.
    pub fn is_right_now(&self) -> bool {
        self.is_always_wrong && self.said.as_ref().is_some_and(|said| is_among(&self.expected, &said.1.verdict))
    }

    /// The direction in question.
    pub fn half(&self) -> Option<&HalfConnection> {
        self.said.as_ref().map(|said| &said.1)
    }
}

impl Wording<'_> {
    /// The words for a verdict: `receive window: slow reader`, or that no limit is worth a change.
    pub fn expected(self, cause: Option<Cause>) -> String {
        cause.map_or_else(|| self.catalogue().word("lab-nothing"), |cause| self.cause(cause))
    }

    /// Bytes and seconds as a report gives them.
    pub fn reported(self, bytes: u64, seconds: f64) -> String {
        let args = Args::new().text("bytes", self.units().bytes(bytes)).text("time", self.units().seconds(seconds));
        self.catalogue().text("lab-show-reported-value", &args)
    }
}

impl LabCounted {
    /// Counters that should increase, and by how much they did; `None`: the kernel has no such counter.
    pub fn expected(&self) -> impl Iterator<Item = (&str, Option<u64>)> {
        self.expected.iter().map(|name| (name.as_str(), self.counters.get(name).copied()))
    }

    /// Whether all expected counters increased.
    pub fn is_expected(&self) -> bool {
        self.expected().all(|(_, count)| count.is_some_and(|count| count > 0))
    }

    /// Whether counters are expected but unknown.
    pub fn is_missing(&self) -> bool {
        self.counters.is_empty() && !self.expected.is_empty()
    }
}

/// Whether the verdict is one of `expected`; an empty list allows any.
fn is_among(expected: &[Option<Cause>], said: &Verdict) -> bool {
    expected.is_empty() || expected.iter().any(|&expected| covers(expected, said))
}

/// Whether the verdict matches `expected`. `None` matches a healthy sender, whatever its time was spent on.
fn covers(expected: Option<Cause>, said: &Verdict) -> bool {
    match (expected, said.cause) {
        (None, cause) => cause.is_none() || said.severity.is_none(),
        (Some(expected), Some(said)) => expected.covers(said),
        (Some(_), None) => false,
    }
}

impl LabRun {
    /// The result of the run.
    pub fn verdict(&self) -> LabVerdict {
        let is_expected = |view: &LabView| view.is_expected() && view.is_outcome_right() && view.counted.is_expected();
        if self.views.iter().all(is_expected) && self.findings.iter().all(|(_, is_there)| *is_there) {
            LabVerdict::AsExpected
        } else if self.doubts.is_empty() {
            LabVerdict::Unexpected
        } else {
            LabVerdict::Unreliable
        }
    }
}

impl LabRatio {
    /// Whether the measured ratio is within the expected bounds.
    pub fn holds(&self) -> bool {
        self.measured >= self.at_least && self.at_most.is_none_or(|most| self.measured <= most)
    }

    /// The result; a doubtful run makes a wrong ratio unreliable, not unexpected.
    pub fn verdict(&self) -> LabVerdict {
        match (self.holds(), self.is_doubtful) {
            (true, _) => LabVerdict::AsExpected,
            (false, true) => LabVerdict::Unreliable,
            (false, false) => LabVerdict::Unexpected,
        }
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Detail, Limit, Severity};

    use super::*;

    #[test]
    fn a_known_wrong_answer_must_stay_wrong() {
        let [path, window] = [Limit::Path, Limit::ReceiveWindow].map(Cause::plain);
        let among = |expected: &[Option<Cause>], cause| {
            is_among(expected, &Verdict { cause, severity: Some(Severity::Warning), ..Verdict::healthy() })
        };
        assert!(among(&[Some(path)], Some(path)) && among(&[], None) && !among(&[Some(path)], Some(window)));
        let view = LabView {
            expected: vec![Some(window)],
            known_wrong: vec![Some(path)],
            is_always_wrong: true,
            said: None,
            counted: LabCounted::default(),
            outcome: None,
            headline: LabHeadline {
                subject: HeadlineSubject::Nobody,
                fix: None,
                right_fixes: vec![],
                is_fix_right: None,
            },
        };
        assert!(!view.is_expected() && !view.is_right_now(), "nothing was said");
    }

    #[test]
    fn what_is_expected_covers_its_details() {
        let window = Some(Cause::plain(Limit::ReceiveWindow));
        let slow = Some(Cause::from(Detail::SlowReader));
        let said = |cause| Verdict { cause, severity: Some(Severity::Warning), ..Verdict::healthy() };
        let harmless = |cause| Verdict { cause, ..Verdict::healthy() };
        assert!(covers(window, &said(slow)) && covers(slow, &said(slow)) && covers(None, &said(None)));
        assert!(!covers(slow, &said(window)) && !covers(None, &said(slow)) && !covers(slow, &said(None)));
        assert!(covers(None, &harmless(slow)) && covers(slow, &harmless(slow)), "nothing held it back");
    }

    #[test]
    fn expected_counters_must_have_moved() {
        let counted = |counters: &[(&str, u64)]| LabCounted {
            counters: counters.iter().map(|&(name, count)| (name.to_owned(), count)).collect(),
            expected: vec!["TcpExtPruneCalled".to_owned(), "TcpExtTCPRcvCollapsed".to_owned()],
            findings: vec![],
        };
        let right = counted(&[("TcpExtPruneCalled", 1), ("TcpExtTCPRcvCollapsed", 9), ("TcpInSegs", 5)]);
        assert!(right.is_expected() && !right.is_missing());
        let still = counted(&[("TcpExtPruneCalled", 1), ("TcpExtTCPRcvCollapsed", 0)]);
        let absent = counted(&[("TcpExtPruneCalled", 1)]);
        assert!(!still.is_expected() && !absent.is_expected());
        assert_eq!(absent.expected().nth(1), Some(("TcpExtTCPRcvCollapsed", None)));
        assert!(counted(&[]).is_missing() && !counted(&[]).is_expected());
        assert!(LabCounted::default().is_expected() && !LabCounted::default().is_missing());
    }

    #[test]
    fn an_ending_that_is_not_reported_is_not_wrong() {
        let outcome = |reported| LabOutcome { expected: LabEnding::ResetBySender, reported };
        for (reported, is_right) in [
            (ReportedEnding::Ended(LabEnding::ResetBySender), Some(true)),
            (ReportedEnding::Ended(LabEnding::ResetByReceiver), Some(false)),
            (ReportedEnding::Open, Some(false)),
            (ReportedEnding::NotReported, None),
        ] {
            let view = LabView {
                headline: LabHeadline {
                    subject: HeadlineSubject::InQuestion,
                    fix: None,
                    right_fixes: vec![],
                    is_fix_right: None,
                },
                expected: vec![],
                known_wrong: Vec::new(),
                is_always_wrong: false,
                said: None,
                counted: LabCounted::default(),
                outcome: Some(outcome(reported)),
            };
            assert_eq!(outcome(reported).is_right(), is_right);
            assert_eq!(view.is_outcome_right(), is_right != Some(false), "{reported:?}");
        }
        assert_eq!(outcome(ReportedEnding::NotReported).reported_id(), None);
    }

    #[test]
    fn ratios_have_two_ends() {
        let ratio = |measured, at_most| LabRatio {
            name: String::new(),
            to: String::new(),
            measured,
            at_least: 2.0,
            at_most,
            is_doubtful: false,
        };
        assert!(ratio(2.0, None).holds() && ratio(100.0, None).holds() && ratio(3.0, Some(3.0)).holds());
        assert!(!ratio(1.9, None).holds() && !ratio(3.1, Some(3.0)).holds() && !ratio(f64::NAN, None).holds());
    }
}
