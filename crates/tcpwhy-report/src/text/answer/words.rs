//! The sentences of the first lines.

use tcpwhy_analysis::{
    Connection, Exchanges, Failure, HalfConnection, Kind, Party, Problem, Role, Services, Slow, Target, principal_half,
};
use tcpwhy_model::{Cause, Detail, Endpoint, Family, Finding, Limit, VerdictReason};

use super::ends::with_role;
use super::excluded::excluded;
use super::remedy::FixLine;
use super::{Reason, Subject};
use crate::text::Look;
use crate::wording::{kebab, ratio, unobserved_id};
use crate::{Args, Wording, is_rest};

/// Other causes of the verdict's family are named with it from this part of its own time on: less changes no
/// number that is read.
const RELATED: f64 = 0.1;

/// Transfers of fewer bytes are short: from an initial window (RFC 6928) slow start needs six round trips for
/// so much.
const SHORT: u64 = 1 << 20;

/// The words, and the room for them.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a> {
    pub(crate) wording: Wording<'a>,
    pub(crate) look: Look,
}

impl Words<'_> {
    pub(super) fn label(self, id: &str) -> String {
        if id.is_empty() { String::new() } else { format!("{}  ", self.wording.catalogue().word(id)) }
    }

    /// `6.21 s of 8.80 s (71%)`
    fn time(self, seconds: f64, total: f64) -> String {
        let units = self.wording.units();
        let args = Args::new()
            .text("seconds", units.seconds(seconds))
            .text("total", units.seconds(total))
            .text("share", units.share(ratio(seconds, total)));
        self.wording.catalogue().text("answer-time", &args)
    }

    /// Why it took so long, or how it failed.
    pub(super) fn reason(self, subject: &Subject<'_>, reason: Reason<'_>) -> Vec<String> {
        match reason {
            Reason::Failed(_, Some(finding)) => self.finding(finding, subject.connection),
            Reason::Failed(failure, None) => vec![self.failure(subject, failure)],
            Reason::Took(party, exchanges) => vec![self.party(party, exchanges)],
            Reason::Limited => vec![self.limit(subject.half)],
        }
    }

    /// What was found, in full, in its first sentence, or as its title.
    pub(super) fn finding(self, finding: &Finding, connection: &Connection) -> Vec<String> {
        let whole = self.wording.finding(finding, connection.span.seconds());
        let first = first_sentence(&whole).to_owned();
        let title = self.wording.rule_title(finding.rule);
        let title = self.wording.catalogue().text("answer-fix-alone", &Args::new().text("fix", title));
        if first == whole { vec![whole, title] } else { vec![whole, first, title] }
    }

    fn failure(self, subject: &Subject<'_>, failure: Failure) -> String {
        let service = subject.connection.endpoints[subject.connection.server().index()];
        let nanos = subject.connection.span.nanos();
        failed(self.wording, failure, service, (1, 1), after(self.wording, nanos, nanos))
    }

    fn party(self, party: Party, exchanges: &Exchanges) -> String {
        let units = self.wording.units();
        let parts = &exchanges.parts;
        let network = parts.round_trips.saturating_add(parts.transfers());
        let most = match party {
            Party::Client => parts.client,
            Party::Server => parts.of_server(),
            Party::RoundTrips | Party::Transfers => network,
        };
        let args = Args::new()
            .number("count", exchanges.count)
            .text("client", units.nanos(parts.client))
            .text("server", units.nanos(parts.of_server()))
            .text("network", units.nanos(network))
            .text("share", units.share(ratio(most as f64, parts.all() as f64)));
        let id = match party {
            Party::Client => "answer-client",
            Party::Server => "answer-server",
            Party::RoundTrips | Party::Transfers => "answer-round-trips",
        };
        self.wording.catalogue().text(id, &args)
    }

    /// What limited a direction, as one sentence with its time.
    fn limit(self, half: &HalfConnection) -> String {
        let catalogue = self.wording.catalogue();
        let total = half.span.seconds();
        let Some(cause) = half.verdict.cause else { return catalogue.word("answer-healthy") };
        let related = half.related_to_verdict().map(|total| total.nanos).sum::<i64>() as f64 / 1e9;
        let own = half.verdict.seconds;
        let family = cause.family().and_then(family_sentence).filter(|_| related >= RELATED * own);
        let (id, seconds) = match family {
            Some(id) => (id.to_owned(), own + related),
            None => (sentence(half, cause), own),
        };
        catalogue.text(&id, &Args::new().text("time", self.time(seconds, total)))
    }

    /// That nothing is wrong, and what limited the largest connection all the same.
    pub(super) fn nothing_wrong(self, subject: Option<&Subject<'_>>) -> Vec<String> {
        let catalogue = self.wording.catalogue();
        let none = catalogue.word("problem-none");
        let Some(Subject { connection, half, .. }) = subject else { return vec![none] };
        let units = self.wording.units();
        let args = Args::new()
            .text("n", connection.id.to_string())
            .text("sentence", self.limit(half))
            .text("bytes", units.bytes(half.bytes))
            .text("time", units.seconds(half.span.seconds()));
        let id = if half.bytes < SHORT { "problem-none-short" } else { "problem-none-transfer" };
        let transfer = catalogue.text(id, &args);
        // What a change could take away would contradict that nothing is wrong.
        let is_usual = |cause: Cause| !cause.is_removable() && cause.limit != Limit::Application;
        if half.verdict.cause.is_some_and(is_usual) {
            vec![catalogue.text("problem-none-largest", &args), transfer, none]
        } else {
            vec![transfer, none]
        }
    }

    /// The numbers behind the answer, what it was not, and whom it is about.
    pub(super) fn below(self, subject: &Subject<'_>) -> Vec<String> {
        let mut all = Vec::new();
        let Subject { connection, half, is_only, .. } = *subject;
        if !is_only {
            return all;
        }
        let [from, to] = [half.sender, half.sender.peer()].map(|side| with_role(self.wording, connection, side));
        all.push(self.wording.catalogue().text("direction", &Args::new().text("from", from).text("to", to)));
        if matches!(subject.reason(), Reason::Limited) {
            all.extend(self.wording.verdict_details(half));
        }
        all.extend(excluded(self.wording, subject));
        all
    }

    /// Why there is nothing to change about a limit.
    pub(super) fn nothing_to_change(self, half: &HalfConnection) -> FixLine {
        let catalogue = self.wording.catalogue();
        let id = match half.verdict.cause.filter(|_| half.verdict.severity.is_some()) {
            None => "answer-nothing",
            Some(Cause { limit: Limit::Unobserved, .. }) => match half.verdict.reason {
                Some(VerdictReason::SeenFromReceiver) => "answer-not-shown-receiver",
                Some(VerdictReason::NotReported) => "answer-not-shown-kernel",
                Some(VerdictReason::WindowHeldByQueue) | None => "answer-not-shown",
            },
            Some(Cause { detail: Some(Detail::PeerTurn), .. }) => "answer-peer-side",
            Some(_) if is_rest(half) => "answer-if-intended",
            Some(_) => "answer-no-setting",
        };
        FixLine { wordings: vec![catalogue.word(id)], is_change: false }
    }
}

/// `10.0.0.1:80 (server) → …: 22.0 MB in 25.0 s, 7.03 Mbit/s`, as a heading.
pub(in crate::text) fn transfer(wording: Wording<'_>, connection: &Connection, half: &HalfConnection) -> String {
    let units = wording.units();
    let args = Args::new()
        .text("from", with_role(wording, connection, half.sender))
        .text("to", with_role(wording, connection, half.sender.peer()))
        .text("bytes", units.bytes(half.bytes))
        .text("time", units.seconds(half.span.seconds()));
    match half.goodput {
        Some(rate) => {
            let args = args.text("rate", units.bits_per_second(rate.bits_per_sec()));
            wording.catalogue().text("head-transfer", &args)
        }
        None => wording.catalogue().text("head-transfer-no-rate", &args),
    }
}

/// `23 of 120 connections`
pub(in crate::text) fn cases(wording: Wording<'_>, count: u64, all: u64) -> String {
    let args = Args::new().number("count", count).number("all", all.max(count));
    wording.catalogue().text("problem-cases", &args)
}

/// What is wrong, as one sentence.
pub fn problem_sentence(wording: Wording<'_>, services: &Services, problem: &Problem) -> String {
    problem_text(wording, services, problem).swap_remove(0)
}

/// What is wrong, as one sentence, and the same in fewer words.
pub(crate) fn problem_text(wording: Wording<'_>, services: &Services, problem: &Problem) -> Vec<String> {
    let catalogue = wording.catalogue();
    let units = wording.units();
    let Target::Service(service) = problem.key.target else { return vec![scan_text(wording, problem)] };
    let all = services.of(service).map_or(0, |service| service.connections);
    let args = Args::new()
        .text("service", service.to_string())
        .text("cases", cases(wording, problem.connections, all))
        .text("lost", units.nanos(problem.lost));
    match problem.key.kind {
        Kind::Failed(failure) => {
            let (low, high) = problem.lasted;
            vec![failed(wording, failure, service, (problem.connections, all), after(wording, low, high))]
        }
        Kind::Slow(Slow::Server) => vec![catalogue.text("problem-server", &args)],
        Kind::Slow(Slow::RoundTrips) => {
            vec![catalogue.text("problem-round-trips", &args.number("count", problem.exchanges))]
        }
        Kind::Slow(_) => {
            let cause = principal_half(&problem.example).and_then(|half| half.verdict.cause);
            let args = args
                .text("cause", cause.map_or_else(String::new, |cause| wording.cause(cause)))
                .text("limit", cause.map_or_else(String::new, |cause| wording.limit(cause.limit)))
                .number("count", problem.connections)
                .number("all", all);
            vec![catalogue.text("problem-slow", &args), catalogue.text("problem-slow-brief", &args)]
        }
    }
}

/// Who tried how many ports of which host.
fn scan_text(wording: Wording<'_>, scan: &Problem) -> String {
    let (Target::Scan { host, client }, Kind::Failed(failure)) = (scan.key.target, scan.key.kind) else {
        return String::new();
    };
    let args = Args::new()
        .text("client", client.to_string())
        .text("host", host.to_string())
        .number("ports", scan.ports())
        .number("count", scan.connections);
    wording.catalogue().text(&format!("problem-scan-{}", kebab(failure.id())), &args)
}

fn failed(
    wording: Wording<'_>,
    failure: Failure,
    service: Endpoint,
    (count, all): (u64, u64),
    after: String,
) -> String {
    let args =
        Args::new().text("service", service.to_string()).text("cases", cases(wording, count, all)).text("after", after);
    wording.catalogue().text(&format!("problem-{}", kebab(failure.id())), &args)
}

/// `1.0 s`, or `1.0 s to 1.2 s`.
fn after(wording: Wording<'_>, low: i64, high: i64) -> String {
    let units = wording.units();
    let [low, high] = [units.nanos(low), units.nanos(high)];
    if low == high {
        return low;
    }
    wording.catalogue().text("problem-after", &Args::new().text("low", low).text("high", high))
}

/// The message about `cause` of `half`.
fn sentence(half: &HalfConnection, cause: Cause) -> String {
    let is_client = half.exchange_role == Role::Client;
    let is_application = cause.limit == Limit::Application;
    if is_application && half.verdict.severity.is_none() {
        return "answer-neutral".to_owned();
    }
    if cause.detail == Some(Detail::Think) && is_client {
        let is_unasked = half.role == Role::Server;
        let form = if is_unasked { "unasked" } else { "client" };
        return format!("answer-application-think-{form}");
    }
    match cause.detail {
        _ if cause.limit == Limit::Unobserved => format!("answer-{}", unobserved_id(half.verdict.reason)),
        None => format!("answer-{}", kebab(cause.limit.id())),
        Some(detail) => format!("answer-{}-{}", kebab(cause.limit.id()), kebab(detail.id())),
    }
}

/// The message about all causes of a family, where their forms share what they lead to.
const fn family_sentence(family: Family) -> Option<&'static str> {
    Some(match family {
        Family::Loss => "answer-all-loss",
        Family::ReceiveWindow => "answer-all-receive-window",
        Family::AckDelay => "answer-all-ack-delay",
        Family::Path => "answer-all-path",
        Family::CongestionWindow => "answer-all-congestion-window",
        Family::Handshake | Family::Application | Family::CloseWait | Family::SendBuffer | Family::SlowStart => {
            return None;
        }
    })
}

/// The first sentence of `text`, its full stop included.
fn first_sentence(text: &str) -> &str {
    let english = text.find(". ").map(|at| at + 1);
    let chinese = text.find('。').map(|at| at + '。'.len_utf8());
    let end = [english, chinese].into_iter().flatten().min();
    end.map_or(text, |end| &text[..end])
}
