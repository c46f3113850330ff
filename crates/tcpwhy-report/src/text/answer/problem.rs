//! The problem of many connections as one sentence.

use tcpwhy_analysis::{Connection, Failure, Kind, Outage, Problem, Services, Slow, Target, principal_half};
use tcpwhy_model::{Cause, Detail, Endpoint, Family, Limit};

use crate::kebab::kebab;
use crate::{Args, Wording};

/// The connections that a sentence is about.
#[derive(Clone, Copy)]
struct Cases {
    service: Endpoint,
    count: u64,
    /// Number of all connections to that server.
    all: u64,
}

/// Shortest and longest duration of connections, and of their idle time before, in nanoseconds.
#[derive(Clone, Copy)]
struct Times {
    lasted: (i64, i64),
    idle: Option<(i64, i64)>,
}

/// The room for the words. The claim is the same in both cases.
#[derive(Clone, Copy)]
enum Room {
    Ample,
    Little,
}

/// The problem as one sentence.
pub fn problem_sentence(wording: Wording<'_>, services: &Services, problem: &Problem) -> String {
    problem_text(wording, services, problem).swap_remove(0)
}

/// The problem as one sentence, and the same in fewer words.
pub(crate) fn problem_text(wording: Wording<'_>, services: &Services, problem: &Problem) -> Vec<String> {
    let Target::Service(service) = problem.key.target else { return vec![attempts(wording, problem)] };
    let count = problem.connections;
    let all = services.of(service).map_or(0, |service| service.connections).max(count);
    let cases = Cases { service, count, all };
    let sentences = [Room::Ample, Room::Little].map(|room| {
        let args = cases.args(wording, room);
        match problem.key.kind {
            Kind::Failed(_) if problem.reused_ports.is_some() => {
                wording.catalogue().text("problem-unanswered-reused-ports", &args)
            }
            Kind::Failed(failure) => {
                let times = Times { lasted: problem.lasted, idle: problem.idle };
                failed(wording, failure, args, &problem.example, times)
            }
            Kind::Slow(slow) => slowed(wording, slow, problem, args),
        }
    });
    let [ample, little] = sentences;
    // If neither fits, the fuller one is wrapped.
    if ample == little { vec![ample] } else { vec![ample.clone(), little, ample] }
}

/// The failure of `connection` as one sentence.
pub(super) fn failure_text(wording: Wording<'_>, failure: Failure, connection: &Connection) -> String {
    let service = connection.endpoints[connection.server().index()];
    let lasted = connection.span.nanos();
    let args = Cases { service, count: 1, all: 1 }.args(wording, Room::Ample);
    let idle = connection.idle_before_close().map(|idle| (idle, idle));
    failed(wording, failure, args, connection, Times { lasted: (lasted, lasted), idle })
}

/// The sentence about attempts that concern several services, or that nobody waited for.
fn attempts(wording: Wording<'_>, problem: &Problem) -> String {
    let (target, cause) = (problem.key.target, kebab(problem.key.cause_id()));
    let id = match target {
        Target::Scan { .. } | Target::Strays(_) => format!("problem-{}-{cause}", target.id()),
        _ => format!("problem-{}", target.id()),
    };
    let text = |value: Option<String>| value.unwrap_or_default();
    let args = Args::new()
        .text("client", text(target.client().map(|client| client.to_string())))
        .text("address", problem.key.address().to_string())
        .text("service", text(problem.key.service().map(|service| service.to_string())))
        .text("time", wording.units().nanos(problem.extent.1.since(problem.extent.0)))
        .number("hosts", problem.hosts())
        .number("ports", problem.ports())
        .number("syns", problem.syns())
        .number("count", problem.connections);
    wording.catalogue().text(&id, &args)
}

fn failed(wording: Wording<'_>, failure: Failure, args: Args, example: &Connection, times: Times) -> String {
    let idle = times.idle.map(|idle| after(wording, idle)).unwrap_or_default();
    let size = example.vanished_size().map(|bytes| wording.units().count(bytes)).unwrap_or_default();
    let args = args.text("after", after(wording, times.lasted)).text("idle", idle).text("bytes", size);
    let catalogue = wording.catalogue();
    let Some(outage) = Outage::of(example) else {
        return catalogue.text(&format!("problem-{}", kebab(failure.id())), &args);
    };
    let args = args.text("host", outage.host.to_string()).text("time", wording.units().nanos(outage.nanos));
    catalogue.text(&format!("problem-{}", kebab(outage.kind.id())), &args)
}

/// A duration or a range of durations: `1.0 s`, or `1.0 s to 1.2 s`.
fn after(wording: Wording<'_>, (low, high): (i64, i64)) -> String {
    let units = wording.units();
    let [low, high] = [units.nanos(low), units.nanos(high)];
    if low == high {
        return low;
    }
    wording.catalogue().text("problem-after", &Args::new().text("low", low).text("high", high))
}

fn slowed(wording: Wording<'_>, slow: Slow, problem: &Problem, args: Args) -> String {
    let args = args.text("lost", wording.units().nanos(problem.lost)).number("requests", problem.exchanges);
    let args = args.text("longest", wording.units().nanos(problem.longest));
    let id = match slow {
        // Nobody waits for the sum of many requests, so it needs other words than one long wait.
        Slow::Server if problem.longest < problem.lost => "problem-server-often".to_owned(),
        Slow::Server => "problem-server".to_owned(),
        Slow::RoundTrips => "problem-round-trips".to_owned(),
        _ if problem.reused_ports.is_some() => "problem-slow-reused-ports".to_owned(),
        Slow::Answers(family) | Slow::Requests(family) => message(family, problem),
    };
    wording.catalogue().text(&id, &args)
}

/// The message id for what limited the data of `problem`, and for its sender.
fn message(family: Family, problem: &Problem) -> String {
    let (limited, is_at_end) = match problem.cause {
        Some(cause) => (cause_id(cause), has_direction(cause)),
        None => (format!("family-{}", kebab(family.id())), is_family_at_end(family)),
    };
    if !is_at_end {
        return format!("problem-slow-{limited}");
    }
    // Chosen by the sender of the data, not by the client of exchanges: a server that sends heartbeats counts
    // as the client there.
    let example = &problem.example;
    let is_of_server = principal_half(example).is_none_or(|half| half.sender == example.server());
    format!("problem-slow-{limited}-of-{}", if is_of_server { "server" } else { "client" })
}

fn cause_id(cause: Cause) -> String {
    let limit = kebab(cause.limit.id());
    match cause.detail {
        None => limit,
        Some(detail) => format!("{limit}-{}", kebab(detail.id())),
    }
}

/// Whether the message names the sender of the data: one of the ends is the limit, or one direction of the
/// path is.
fn has_direction(cause: Cause) -> bool {
    is_limit_at_end(cause.limit) || matches!(cause.detail, Some(Detail::LostAcks | Detail::AckQueue))
}

/// Whether the limit is at one of the ends, which the message then names.
const fn is_limit_at_end(limit: Limit) -> bool {
    match limit {
        Limit::ReceiveWindow | Limit::AckDelay | Limit::Application | Limit::SendBuffer | Limit::CongestionWindow => {
            true
        }
        Limit::Unobserved
        | Limit::Handshake
        | Limit::LossRecovery
        | Limit::TailRtt
        | Limit::Path
        | Limit::SlowStart => false,
    }
}

/// Whether all causes of the family are at one of the ends.
const fn is_family_at_end(family: Family) -> bool {
    match family {
        Family::ReceiveWindow
        | Family::AckDelay
        | Family::Application
        | Family::CloseWait
        | Family::SendBuffer
        | Family::CongestionWindow => true,
        Family::Handshake | Family::Loss | Family::Path | Family::SlowStart => false,
    }
}

impl Cases {
    fn args(self, wording: Wording<'_>, room: Room) -> Args {
        let Self { service, count, all } = self;
        let catalogue = wording.catalogue();
        let how_many = match (count, all) {
            (_, 1) => "only",
            _ if count == all => "all",
            _ => "some",
        };
        let numbers = || Args::new().number("count", count).number("all", all);
        let brief = match room {
            Room::Ample => "",
            Room::Little => "-brief",
        };
        let which = catalogue.text(&format!("problem-which-{how_many}{brief}"), &numbers());
        let attempts = catalogue.text("problem-attempts", &numbers());
        let service = service.to_string();
        let of_service = Args::new().text("which", which.as_str()).text("service", service.as_str());
        numbers()
            .text("where", catalogue.text("problem-where", &of_service))
            .text("which", which)
            .text("attempts", attempts)
            .text("service", service)
    }
}

#[cfg(test)]
mod terms;
