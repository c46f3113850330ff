//! What to change, and what that brings: of the cause that the second line names.

use std::ptr;

use tcpwhy_analysis::{Connection, HalfConnection, Kind, Party, Problem, Side, Slow, Target};
use tcpwhy_model::{Claim, Finding, Fix, Prediction};

use super::words::Words;
use super::{Reason, Subject};
use crate::text::Overview;
use crate::{Args, Wording, is_gain, leading_finding};

/// A fix, what it brings, and the fix beside it.
pub(crate) struct Remedy<'a> {
    /// The finding that proposes it.
    pub(crate) finding: &'a Finding,
    pub(crate) fix: &'a Fix,
    /// The fix beside it, where the packets do not show which of the two removes the cause.
    pub(crate) rival: Option<&'a Fix>,
    /// What it brings, and how long the direction takes now, seconds.
    gain: Option<(&'a Prediction, f64)>,
}

/// The change that the third line proposes, and where.
pub(crate) struct Proposal<'a> {
    pub(crate) remedy: Remedy<'a>,
    /// The connection that shows the cause.
    pub(crate) connection: &'a Connection,
    /// Whose data it is about; `None` where it is about the connection.
    pub(crate) sender: Option<Side>,
    /// How long the direction took, seconds, where it is the only one to report: what the fix brings is
    /// compared with it.
    pub(crate) seconds: Option<f64>,
}

/// The third line.
pub(super) struct FixLine {
    pub(super) wordings: Vec<String>,
    /// It proposes a change.
    pub(super) is_change: bool,
}

impl<'a> Remedy<'a> {
    /// What removes the cause that the first lines name.
    pub(crate) fn of(subject: &Subject<'a>) -> Option<Self> {
        Self::for_reason(subject.connection, subject.half, subject.reason())
    }

    pub(super) fn for_reason(connection: &'a Connection, half: &'a HalfConnection, reason: Reason<'a>) -> Option<Self> {
        match reason {
            Reason::Failed(_, finding) => Self::by(finding?, None),
            Reason::Took(Party::Server, _) => Self::among(connection, &SERVER_RULES),
            Reason::Took(Party::RoundTrips, _) => Self::among(connection, &ROUND_TRIP_RULES),
            Reason::Took(Party::Client | Party::Transfers, _) => None,
            Reason::Limited => Self::by(leading_finding(half)?, Some(half)),
        }
    }

    /// What the problem's example proposes; nothing for a scan, which is a question to its client.
    fn of_problem(problem: &'a Problem) -> Option<Self> {
        if matches!(problem.key.target, Target::Scan { .. }) {
            return None;
        }
        let connection = &*problem.example;
        let subject = tcpwhy_analysis::principal_half(connection).map(|half| Subject {
            connection,
            half,
            problem: Some(problem),
            is_only: false,
        });
        let remedy = match &subject {
            Some(subject) => Self::of(subject),
            None => connection.findings.first().and_then(|finding| Self::by(finding, None)),
        };
        // What one connection gains is no promise for all.
        Some(Self { gain: None, ..remedy? })
    }

    /// Whose data its finding is about; `None` for a finding about the connection.
    fn sender(&self, connection: &Connection) -> Option<Side> {
        let has_it = |half: &&HalfConnection| half.findings.iter().any(|finding| ptr::eq(finding, self.finding));
        connection.halves.iter().find(has_it).map(|half| half.sender)
    }

    /// It says what the fix would bring.
    pub(super) const fn has_gain(&self) -> bool {
        self.gain.is_some()
    }

    /// The first fix of `finding`.
    fn by(finding: &'a Finding, half: Option<&HalfConnection>) -> Option<Self> {
        let gain = half.and_then(|half| {
            let now = half.span.seconds();
            let prediction = finding.prediction.as_ref()?;
            is_gain(prediction, now).then_some((prediction, now))
        });
        let rival = finding.fixes.get(1).filter(|fix| fix.is_rival);
        Some(Self { finding, fix: finding.fixes.first()?, rival, gain })
    }

    /// The first fix of any finding by one of `rules`, in their order.
    fn among(connection: &'a Connection, rules: &[&str]) -> Option<Self> {
        let all = || connection.findings.iter().chain(connection.halves.iter().flat_map(|half| &half.findings));
        let found = |rule: &&str| all().find(|finding| finding.rule == *rule && !finding.fixes.is_empty());
        Self::by(rules.iter().find_map(found)?, None)
    }
}

/// A server's time that is worth a look at its program, nanoseconds: a train of thought breaks after a second
/// (Miller, "Response time in man-computer conversational transactions", 1968).
const WORTH_PROFILING: i64 = 1_000_000_000;

/// Rules that propose what makes a server answer sooner.
const SERVER_RULES: [&str; 2] = ["application-think", "request-latency"];
/// Rules that propose what saves round trips.
const ROUND_TRIP_RULES: [&str; 2] = ["request-response-turns", "connection-setup"];

impl Words<'_> {
    /// What to change, or why nothing.
    pub(super) fn remedy(self, subject: &Subject<'_>, reason: Reason<'_>) -> FixLine {
        let catalogue = self.wording.catalogue();
        if let Reason::Took(Party::Server, exchanges) = reason {
            // Nobody profiles a server for less, unless it is a problem of many connections.
            return if subject.problem.is_some() || exchanges.parts.of_server() >= WORTH_PROFILING {
                FixLine { wordings: vec![self.profile(subject.connection)], is_change: true }
            } else {
                FixLine { wordings: vec![catalogue.word("answer-nothing")], is_change: false }
            };
        }
        if let Some(remedy) = Remedy::of(subject) {
            return FixLine { wordings: self.change(&remedy), is_change: true };
        }
        let id = match reason {
            Reason::Took(Party::Client, _) => "answer-if-intended",
            Reason::Took(..) => "answer-nothing",
            Reason::Failed(..) => "answer-not-shown",
            Reason::Limited => return self.nothing_to_change(subject.half),
        };
        FixLine { wordings: vec![catalogue.word(id)], is_change: false }
    }

    /// What to change about a problem of many connections, or how to look at them.
    pub(super) fn problem_remedy(self, problem: &Problem) -> Vec<String> {
        self.known_remedy(problem).unwrap_or_else(|| {
            let args = Args::new().text("command", "tcpwhy FILE --problem 1");
            vec![self.wording.catalogue().text("answer-show-problem", &args)]
        })
    }

    /// The same; `None` where the packets do not show what to change.
    pub(super) fn known_remedy(self, problem: &Problem) -> Option<Vec<String>> {
        if let Target::Scan { client, .. } = problem.key.target {
            let args = Args::new().text("client", client.to_string());
            return Some(vec![self.wording.catalogue().text("answer-scan", &args)]);
        }
        if problem.key.kind == Kind::Slow(Slow::Server) {
            return Some(vec![self.profile(&problem.example)]);
        }
        Some(self.change(&Remedy::of_problem(problem)?))
    }

    /// What the third line proposes; `None` where it proposes no change.
    pub(super) fn proposal(self, overview: &Overview) -> Option<Proposal<'_>> {
        let (remedy, connection, seconds) = match Subject::of(overview) {
            Some(subject) if subject.is_only => {
                let is_change = self.remedy(&subject, subject.reason()).is_change;
                let remedy = Remedy::of(&subject).filter(|_| is_change)?;
                (remedy, subject.connection, Some(subject.half.span.seconds()))
            }
            _ => {
                let problem = overview.problems().first()?;
                (Remedy::of_problem(problem)?, &*problem.example, None)
            }
        };
        let sender = remedy.sender(connection);
        Some(Proposal { remedy, connection, sender, seconds })
    }

    fn profile(self, connection: &Connection) -> String {
        let server = connection.endpoints[connection.server().index()];
        self.wording.catalogue().text("answer-profile", &Args::new().text("service", server.to_string()))
    }

    fn change(self, remedy: &Remedy<'_>) -> Vec<String> {
        let catalogue = self.wording.catalogue();
        let fix = self.wording.fix_headline(remedy.fix);
        let alone = catalogue.text("answer-fix-alone", &Args::new().text("fix", fix.as_str()));
        let with_gain = |fix: &str| {
            let (prediction, now) = remedy.gain?;
            let id = match prediction.claim {
                Claim::Range => "answer-predicted",
                Claim::AtBest | Claim::AtBestUntried => "answer-times",
            };
            Some(catalogue.text(id, &prediction_args(self.wording, Args::new().text("fix", fix), prediction, now)))
        };
        let Some(rival) = remedy.rival else {
            return with_gain(&fix).into_iter().chain([alone]).collect();
        };
        let rival = within_sentence(&self.wording.fix_headline(rival));
        let both = catalogue.text("answer-either", &Args::new().text("fix", fix.as_str()).text("rival", rival));
        let both_alone = catalogue.text("answer-fix-alone", &Args::new().text("fix", both.as_str()));
        with_gain(&both).into_iter().chain([both_alone]).collect()
    }
}

/// `text` as it is written within a sentence: its first letter is small, unless the word is a name.
fn within_sentence(text: &str) -> String {
    let mut chars = text.chars();
    match (chars.next(), chars.clone().next()) {
        (Some(first), Some(second)) if first.is_uppercase() && second.is_lowercase() => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => text.to_owned(),
    }
}

/// `args` with the durations of `prediction`.
pub(crate) fn prediction_args(wording: Wording<'_>, args: Args, prediction: &Prediction, now: f64) -> Args {
    let units = wording.units();
    let seconds = prediction.seconds;
    args.text("now", units.seconds(now))
        .text("times", units.times(prediction.times_at_most(now)))
        .text("then", units.rough_seconds(seconds.value))
        .text("low", units.rough_seconds(seconds.low))
        .text("high", units.rough_seconds(seconds.high))
}
