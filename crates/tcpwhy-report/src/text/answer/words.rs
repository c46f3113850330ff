//! The sentences of the first lines.

use tcpwhy_analysis::answer::{
    AllClear, Aside, Block, ClockDoubt, Explanation, NamedCause, ProtocolWindow, Subject, Why, exclusions,
};
use tcpwhy_analysis::{Connection, Exchanges, Failure, HalfConnection, Party, Pattern, Role, Services};
use tcpwhy_model::{Cause, Detail, Family, Finding, Limit};

use super::excluded::excluded;
use super::problem::{failure_text, problem_sentence, problem_text};
use super::role::with_role;
use crate::kebab::kebab;
use crate::ratio::ratio;
use crate::text::Look;
use crate::text::kernel_word::kernel_sentence;
use crate::wording::unobserved_id;
use crate::{Args, Wording};

/// Message id for a too small window of a protocol above TCP.
const PEER_WINDOW: &str = "answer-application-peer-window";

/// The catalogue, and the room for the words.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a> {
    pub(crate) wording: Wording<'a>,
    pub(crate) look: Look,
}

impl Words<'_> {
    pub(super) fn label(self, id: &str) -> String {
        if id.is_empty() { String::new() } else { format!("{}  ", self.wording.catalogue().word(id)) }
    }

    /// A part of a time: `6.21 s of 8.80 s (71%)`.
    fn time(self, seconds: f64, total: f64) -> String {
        let units = self.wording.units();
        let args = Args::new()
            .text("seconds", units.seconds(seconds))
            .text("total", units.seconds(total))
            .text("share", units.share(ratio(seconds, total)));
        self.wording.catalogue().text("answer-time", &args)
    }

    /// The second line, fullest wording first.
    pub(super) fn why(self, why: Why<'_>, services: &Services) -> Vec<String> {
        match why {
            Why::ClockWrong(clock) => vec![self.clock(clock)],
            Why::Explained(subject, explanation) if subject.is_only => self.explanation(&subject, explanation),
            Why::Explained(subject, explanation) => {
                self.numbered(subject.connection, self.explanation(&subject, explanation))
            }
            Why::Across(_, finding) => self.across(finding),
            Why::Noticed(connection, finding) => self.numbered(connection, self.finding(finding, connection)),
            Why::FailedUnsent(connection, failed) => vec![self.failure(connection, failed.failure)],
            Why::Problem(problem) => problem_text(self.wording, services, problem),
            Why::AllClear(all_clear) => self.all_clear(&all_clear, services),
        }
    }

    /// Adds the number of the connection to each wording.
    fn numbered(self, connection: &Connection, wordings: Vec<String>) -> Vec<String> {
        let text = |sentence| {
            let args = Args::new().text("n", connection.id.to_string()).text("sentence", sentence);
            self.wording.catalogue().text("answer-number", &args)
        };
        wordings.into_iter().map(text).collect()
    }

    /// Adds to each wording that it is only possible.
    pub(super) fn hedged(self, wordings: Vec<String>) -> Vec<String> {
        let hedge =
            |sentence| self.wording.catalogue().text("answer-possibly", &Args::new().text("sentence", sentence));
        wordings.into_iter().map(hedge).collect()
    }

    /// The reason of the duration or of the failure.
    pub(super) fn explanation(self, subject: &Subject<'_>, explanation: Explanation<'_>) -> Vec<String> {
        match explanation {
            Explanation::Failed(_, Some(finding)) => self.finding(finding, subject.connection),
            Explanation::Found(finding, limit, half) => self.found(finding, limit, half),
            Explanation::Spoke(exchanges) => vec![self.spoke(exchanges)],
            Explanation::Failed(failure, None) => vec![self.failure(subject.connection, failure)],
            Explanation::Took(party, exchanges) => self.party(party, exchanges, subject.connection),
            Explanation::Limited => vec![self.limit(subject.half)],
        }
    }

    /// The sentence that connections contradict the capture's clock.
    pub(super) fn clock(self, clock: ClockDoubt) -> String {
        let args = Args::new().number("count", clock.count).number("all", clock.all);
        self.wording.catalogue().text("answer-clock", &args)
    }

    /// A finding: in full, its first sentence, or its title.
    pub(super) fn finding(self, finding: &Finding, connection: &Connection) -> Vec<String> {
        let whole = self.wording.finding(finding, connection.seconds_of(finding));
        let first = first_sentence(&whole).to_owned();
        let title = self.wording.rule_title(finding.rule);
        let title = self.wording.catalogue().text("answer-fix-alone", &Args::new().text("fix", title));
        if first == whole { vec![whole, title] } else { vec![whole, first, title] }
    }

    /// A finding across connections: in full, or its title with its cost.
    fn across(self, finding: &Finding) -> Vec<String> {
        let seconds = finding.seconds.unwrap_or_default();
        let args = Args::new()
            .text("title", self.wording.rule_title(finding.rule))
            .text("time", self.wording.units().seconds(seconds));
        vec![self.wording.finding(finding, seconds), self.wording.catalogue().text("answer-across", &args)]
    }

    /// A finding about a limit of `half`: in full, its first sentence, or the limit with its time. For a
    /// window above TCP, its owner is named.
    fn found(self, finding: &Finding, limit: Limit, half: &HalfConnection) -> Vec<String> {
        let total = half.span.seconds();
        if ProtocolWindow::is_of(finding) {
            let args = Args::new().text("time", self.time(finding.seconds.unwrap_or_default(), total));
            return vec![self.window(PEER_WINDOW, ProtocolWindow::found(half), args)];
        }
        let whole = self.wording.finding(finding, total);
        let first = first_sentence(&whole).to_owned();
        let time = self.time(finding.seconds.unwrap_or_default(), total);
        let limited =
            self.wording.catalogue().text(&format!("answer-{}", kebab(limit.id())), &Args::new().text("time", time));
        if first == whole { vec![whole, limited] } else { vec![whole, first, limited] }
    }

    fn failure(self, connection: &Connection, failure: Failure) -> String {
        failure_text(self.wording, failure, connection)
    }

    /// The party that took the time of requests, with the time of the others and without it.
    fn party(self, party: Party, exchanges: &Exchanges, connection: &Connection) -> Vec<String> {
        let units = self.wording.units();
        let parts = &exchanges.parts;
        let network = parts.network();
        let args = Args::new()
            .number("count", exchanges.count)
            .text("client", units.nanos(parts.client))
            .text("server", units.nanos(parts.of_server()))
            .text("network", units.nanos(network))
            .text("transfer", units.nanos(parts.transfers()))
            .text("time", self.time(parts.of(party) as f64 / 1e9, parts.seconds()));
        if let Some(block) = Block::of(connection).filter(|_| party == Party::RoundTrips) {
            let id = if block.may_be_allowed {
                "answer-blocks-asked-or-allowed"
            } else if exchanges.request_bytes > exchanges.answer_bytes {
                "answer-blocks-sent"
            } else {
                "answer-blocks-asked"
            };
            return vec![self.wording.catalogue().text(id, &args.text("block", units.bytes(block.bytes)))];
        }
        let id = match party {
            Party::Client => "answer-client",
            Party::Server => "answer-server",
            Party::RoundTrips => "answer-round-trips",
            Party::Transfers => "answer-transfers",
        };
        [id.to_owned(), format!("{id}-brief")].map(|id| self.wording.catalogue().text(&id, &args)).into()
    }

    /// The pattern of the connection, if it is not a sequence of requests.
    fn spoke(self, exchanges: &Exchanges) -> String {
        let id = match exchanges.pattern {
            Pattern::Interactive => "exchanges-interactive",
            Pattern::LongPoll => "exchanges-long-poll",
            Pattern::Overlapping => "answer-overlapping",
            Pattern::Unasked | Pattern::RequestResponse => "answer-unasked",
        };
        self.wording.catalogue().word(id)
    }

    /// The limit of a direction, as one sentence with its time.
    fn limit(self, half: &HalfConnection) -> String {
        let catalogue = self.wording.catalogue();
        let total = half.span.seconds();
        let Some(named) = NamedCause::of(half) else { return catalogue.word("answer-healthy") };
        let family = named.family.and_then(family_sentence);
        let id = family.map_or_else(|| sentence(half, named.cause), str::to_owned);
        let args = Args::new().text("time", self.time(named.seconds(), total));
        self.window(&id, ProtocolWindow::of(half), args)
    }

    /// The sentence `id`. For a window of a protocol above TCP it names the owner, if known.
    fn window(self, id: &str, window: Option<ProtocolWindow>, args: Args) -> String {
        let Some(window) = window else { return self.wording.catalogue().text(id, &args) };
        let owner = if window.owner == Role::Client { "client" } else { "server" };
        let args = args.text("window", self.wording.units().bytes(window.bytes));
        self.wording.catalogue().text(&format!("{id}-of-{owner}"), &args)
    }

    /// The sentence that nothing is wrong, and what nevertheless limited the largest connection.
    fn all_clear(self, all_clear: &AllClear<'_>, services: &Services) -> Vec<String> {
        let catalogue = self.wording.catalogue();
        if let Some(probes) = all_clear.probes {
            let sentence = problem_sentence(self.wording, services, probes);
            return vec![catalogue.text("problem-none-probes", &Args::new().text("sentence", sentence))];
        }
        if let Some(Aside { connection, nanos }) = all_clear.aside {
            let args = Args::new().text("n", connection.id.to_string()).text("time", self.wording.units().nanos(nanos));
            return vec![catalogue.text("problem-none-aside", &args)];
        }
        let none = catalogue.word("problem-none");
        let Some(Subject { connection, half, .. }) = all_clear.subject else { return vec![none] };
        let units = self.wording.units();
        let args = Args::new()
            .text("n", connection.id.to_string())
            .text("sentence", self.limit(half))
            .text("bytes", units.bytes(half.bytes))
            .text("time", units.seconds(half.span.seconds()));
        let id = if all_clear.is_short { "problem-none-short" } else { "problem-none-transfer" };
        let transfer = catalogue.text(id, &args);
        if all_clear.is_limit_named {
            vec![catalogue.text("problem-none-largest", &args), transfer, none]
        } else {
            vec![transfer, none]
        }
    }

    /// Numbers behind the answer, excluded limits, and the ends of the connection.
    pub(super) fn below(self, subject: &Subject<'_>) -> Vec<String> {
        let mut all = Vec::new();
        let Subject { connection, half, is_only, .. } = *subject;
        if !is_only {
            return all;
        }
        let [from, to] = [half.sender, half.sender.peer()].map(|side| with_role(self.wording, connection, side));
        all.push(self.wording.catalogue().text("direction", &Args::new().text("from", from).text("to", to)));
        if Explanation::of(subject).is_limit() {
            all.extend(self.wording.verdict_details(half));
        }
        all.extend(kernel_sentence(self.wording, connection, half));
        all.extend(excluded(self.wording, &exclusions(subject, &Explanation::of(subject))));
        all
    }
}

/// The transfer as a heading: `10.0.0.1:80 (server) → …: 22.0 MB in 25.0 s, 7.03 Mbit/s`.
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

/// The message id for `cause` of `half`.
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

/// The message id for all causes of a family, if its details have the same effect.
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

/// The first sentence of `text`, including its full stop.
fn first_sentence(text: &str) -> &str {
    let english = text.find(". ").map(|at| at + 1);
    let chinese = text.find('。').map(|at| at + '。'.len_utf8());
    let end = [english, chinese].into_iter().flatten().min();
    end.map_or(text, |end| &text[..end])
}
