//! What the lab has to say of its runs: data that text and JSON are made from.

use std::collections::BTreeMap;

use tcpwhy_analysis::{Connection, HalfConnection, Verdict};
use tcpwhy_model::{ByGroup, Cause, Finding};

use crate::{Args, Wording};

/// A scenario in a line.
#[derive(Clone, Debug)]
pub struct LabEntry {
    /// Its name.
    pub name: String,
    /// Its title in the reader's language.
    pub title: String,
    /// Verdicts that are right, the meant one first; `None`: nothing to act on.
    pub expected: Vec<Option<Cause>>,
}

/// One run and what was said of it.
#[derive(Clone, Debug)]
pub struct LabRun {
    /// The scenario.
    pub entry: LabEntry,
    /// Where the recording lies.
    pub folder: String,
    /// What was random.
    pub seed: u64,
    /// Payload bytes that arrived.
    pub bytes: u64,
    /// From opening the connection until everything was read.
    pub seconds: f64,
    /// Bits per second.
    pub goodput: f64,
    /// Bytes and seconds as the original was reported.
    pub reported: Option<(u64, f64)>,
    /// What is said of the capture at the sender, and at the receiver.
    pub views: [LabView; 2],
    /// Rules that had to find something in the sender's capture, and whether they did.
    pub findings: Vec<(String, bool)>,
    /// Why to distrust it.
    pub doubts: Vec<String>,
    /// Expected verdicts that the run's own measurement contradicts.
    pub contradictions: Vec<Contradiction>,
    /// How the connection broke, if it did.
    pub broken: Option<String>,
    /// What the kernels had.
    pub kernel: KernelNumbers,
    /// What held the sender in truth: how often its socket, asked every few milliseconds, showed what. Shares.
    pub truth: ByGroup<f64>,
}

/// What is said of one capture.
#[derive(Clone, Debug)]
pub struct LabView {
    /// Verdicts that are right there.
    pub expected: Vec<Option<Cause>>,
    /// Wrong verdicts that are known to be given there.
    pub known_wrong: Vec<Option<Cause>>,
    /// One of them is given in every run: a right verdict is unexpected.
    pub is_always_wrong: bool,
    /// The direction in question; `None` if no payload was captured.
    pub said: Option<Box<(Connection, HalfConnection)>>,
    /// What the first three lines speak of and propose.
    pub headline: LabHeadline,
    /// What the kernel counted there.
    pub counted: LabCounted,
    /// How the connection had to end; `None`: nothing is expected of its end.
    pub outcome: Option<LabOutcome>,
}

/// How a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabEnding {
    /// FIN from both ends.
    Closed,
    /// Reset by the sender of the data in question.
    ResetBySender,
    /// Reset by their receiver.
    ResetByReceiver,
    /// A request was acknowledged and never answered.
    Unanswered,
}

/// What `explain` reports about the end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportedEnding {
    /// This.
    Ended(LabEnding),
    /// That the capture shows no end.
    Open,
    /// `explain` has no words for an ending like the expected one.
    NotReported,
}

/// How a scenario's connection had to end, and what is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabOutcome {
    /// In truth.
    pub expected: LabEnding,
    /// By `explain`.
    pub reported: ReportedEnding,
}

impl LabEnding {
    /// `closed`, `reset-by-sender`, `reset-by-receiver` or `unanswered`.
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
    /// Whether `explain` is right; `None` where it has no words for such an ending.
    pub fn is_right(self) -> Option<bool> {
        match self.reported {
            ReportedEnding::Ended(ending) => Some(ending == self.expected),
            ReportedEnding::Open => Some(false),
            ReportedEnding::NotReported => None,
        }
    }

    /// What is reported, as an id; `None` where there are no words for it.
    pub const fn reported_id(self) -> Option<&'static str> {
        match self.reported {
            ReportedEnding::Ended(ending) => Some(ending.id()),
            ReportedEnding::Open => Some("open"),
            ReportedEnding::NotReported => None,
        }
    }
}

/// What the first three lines (`-q`) on a capture speak of and propose, judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabHeadline {
    /// Whom they speak of.
    pub subject: HeadlineSubject,
    /// Id of the fix that they propose, or of the one beside it if that alone removes the cause.
    pub fix: Option<&'static str>,
    /// Ids of fixes that remove the cause; `None` among them: nothing need be proposed. Empty where no fix
    /// is expected.
    pub right_fixes: Vec<Option<&'static str>>,
    /// Whether theirs does; `None` where no fix is expected.
    pub is_fix_right: Option<bool>,
}

/// Whom the first three lines speak of, compared with the transfer that is in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeadlineSubject {
    /// The connection in question, in its direction.
    InQuestion,
    /// The connection in question, in its other direction.
    OtherDirection,
    /// Another connection.
    OtherConnection,
    /// None: no connection carried data, or the one in question carried none.
    Nobody,
}

impl HeadlineSubject {
    /// For JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::InQuestion => "in_question",
            Self::OtherDirection => "other_direction",
            Self::OtherConnection => "other_connection",
            Self::Nobody => "nobody",
        }
    }

    /// Whether it is the one to speak of.
    pub const fn is_right(self) -> bool {
        matches!(self, Self::InQuestion)
    }
}

/// What the kernel counted at one end during a transfer.
#[derive(Clone, Debug, Default)]
pub struct LabCounted {
    /// By the names of `nstat`; empty if it is not known.
    pub counters: BTreeMap<String, u64>,
    /// Counters that had to move.
    pub expected: Vec<String>,
    /// What an audit says of them.
    pub findings: Vec<Finding>,
}

/// An expected verdict that the measured shares of time contradict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contradiction {
    /// The verdict in the scenario.
    pub expected: Option<Cause>,
    /// Its share of the time.
    pub share: f64,
    /// The share that is larger.
    pub larger: f64,
    /// Whether it is the first of the list, which has to have the largest share.
    pub is_first: bool,
}

/// What both kernels say of their sockets.
#[derive(Clone, Copy, Debug, Default)]
pub struct KernelNumbers {
    /// Smallest round trip, seconds.
    pub min_rtt: Option<f64>,
    /// The sender's buffer at its largest.
    pub send_buffer: Option<u64>,
    /// The receiver's.
    pub receive_buffer: Option<u64>,
    /// Segments retransmitted.
    pub retransmits: Option<u64>,
    /// Seconds with data to send or in flight, held by the window, and by the send buffer, by the sender's own clocks.
    pub busy: f64,
    /// Of that.
    pub rwnd_limited: f64,
    /// Of that, as far as the kernel notices.
    pub sndbuf_limited: f64,
}

/// One scenario's time over another's.
#[derive(Clone, Debug)]
pub struct LabRatio {
    /// The one.
    pub name: String,
    /// The other.
    pub to: String,
    /// For the same number of bytes.
    pub measured: f64,
    /// What was expected.
    pub at_least: f64,
    /// And at most.
    pub at_most: Option<f64>,
    /// One of the runs is itself in doubt.
    pub is_doubtful: bool,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabVerdict {
    /// All as expected.
    AsExpected,
    /// Not what was expected, but the run itself is in doubt.
    Unreliable,
    /// Not what was expected.
    Unexpected,
}

impl LabView {
    /// Whether a right verdict was given, or the wrong one that is known; where none is expected any is.
    pub fn is_expected(&self) -> bool {
        self.said.as_ref().is_some_and(|said| {
            let said = &said.1.verdict;
            let is_known_wrong = !self.known_wrong.is_empty() && is_among(&self.known_wrong, said);
            is_known_wrong || (!self.is_always_wrong && is_among(&self.expected, said))
        })
    }

    /// Whether nothing wrong is reported about the connection's end. A missing report is not wrong.
    pub fn is_outcome_right(&self) -> bool {
        self.outcome.is_none_or(|outcome| outcome.is_right() != Some(false))
    }

    /// Whether the wrong answer that is known is not given any more.
    pub fn is_right_now(&self) -> bool {
        self.is_always_wrong && self.said.as_ref().is_some_and(|said| is_among(&self.expected, &said.1.verdict))
    }

    /// The direction in question.
    pub fn half(&self) -> Option<&HalfConnection> {
        self.said.as_ref().map(|said| &said.1)
    }
}

impl Wording<'_> {
    /// `receive window: slow reader`, or that nothing is worth acting on.
    pub fn expected(self, cause: Option<Cause>) -> String {
        cause.map_or_else(|| self.catalogue().word("lab-nothing"), |cause| self.cause(cause))
    }

    /// Bytes, and the seconds that they took, as somebody told it.
    pub fn reported(self, bytes: u64, seconds: f64) -> String {
        let args = Args::new().text("bytes", self.units().bytes(bytes)).text("time", self.units().seconds(seconds));
        self.catalogue().text("lab-show-reported-value", &args)
    }
}

impl LabCounted {
    /// Counters that had to move, and how far they did; `None`: the kernel has no such counter.
    pub fn expected(&self) -> impl Iterator<Item = (&str, Option<u64>)> {
        self.expected.iter().map(|name| (name.as_str(), self.counters.get(name).copied()))
    }

    /// Whether all of them did.
    pub fn is_expected(&self) -> bool {
        self.expected().all(|(_, count)| count.is_some_and(|count| count > 0))
    }

    /// Whether something is expected of counters that nobody knows.
    pub fn is_missing(&self) -> bool {
        self.counters.is_empty() && !self.expected.is_empty()
    }
}

/// Whether one of these was said; where there are none, anything is.
fn is_among(expected: &[Option<Cause>], said: &Verdict) -> bool {
    expected.is_empty() || expected.iter().any(|&expected| covers(expected, said))
}

/// `None`: nothing to act on, whatever the sender did with its time.
fn covers(expected: Option<Cause>, said: &Verdict) -> bool {
    match (expected, said.cause) {
        (None, cause) => cause.is_none() || said.severity.is_none(),
        (Some(expected), Some(said)) => expected.covers(said),
        (Some(_), None) => false,
    }
}

impl LabRun {
    /// How it ended.
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
    /// Whether it is what was expected.
    pub fn holds(&self) -> bool {
        self.measured >= self.at_least && self.at_most.is_none_or(|most| self.measured <= most)
    }

    /// The same, with a doubtful run blamed rather than what was expected.
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
