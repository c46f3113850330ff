//! The numbers that a problem is based on, as one line.

use tcpwhy_analysis::{Problem, Proof};

use super::goes_with::goes_with;
use crate::kebab::kebab;
use crate::{Args, Wording};

/// Properties that the failures have in common, and an example: `Number 12: 14 timeouts, 41 of 980 segments
/// retransmitted, RTT 20 ms; from packet 512 on.`
pub fn problem_evidence(wording: Wording<'_>, problem: &Problem) -> String {
    let mut all: Vec<_> = problem.goes_with.iter().map(|found| goes_with(wording, found)).collect();
    all.push(of_example(wording, problem));
    all.join(&wording.catalogue().word("sentence-separator"))
}

fn of_example(wording: Wording<'_>, problem: &Problem) -> String {
    let catalogue = wording.catalogue();
    let args =
        Args::new().text("n", problem.example.id.to_string()).text("packet", problem.example.first_packet.to_string());
    let facts: Vec<_> = problem.proof().into_iter().map(|proof| fact(wording, problem, proof)).collect();
    if facts.is_empty() {
        return catalogue.text("problem-example", &args);
    }
    catalogue.text("problem-evidence", &args.text("facts", facts.join(&catalogue.word("list-separator"))))
}

fn fact(wording: Wording<'_>, problem: &Problem, proof: Proof) -> String {
    let units = wording.units();
    let args = Args::new();
    let args = match proof {
        Proof::Timeouts(count)
        | Proof::ZeroWindows(count)
        | Proof::Turns(count)
        | Proof::Requests(count)
        | Proof::Syns(count)
        | Proof::SynAcks(count)
        | Proof::Repeats(count) => args.number("count", count),
        Proof::Retransmitted(count, all) | Proof::Reused(count, all) | Proof::NotReused(count, all) => {
            args.number("count", count).number("all", all)
        }
        Proof::RoundTrip(nanos)
        | Proof::AckDelay(nanos)
        | Proof::Slowest(nanos)
        | Proof::Tried(nanos)
        | Proof::Silence(nanos)
        | Proof::Idle(nanos)
        | Proof::Awaited(nanos) => args.text("time", units.nanos(nanos)),
        Proof::Flight(bytes)
        | Proof::Window(bytes)
        | Proof::Delivered(bytes)
        | Proof::Unacknowledged(bytes)
        | Proof::Passed(bytes)
        | Proof::Request(bytes) => args.text("bytes", units.bytes(bytes)),
        Proof::Carried(bytes, nanos) => args.text("bytes", units.bytes(bytes)).text("time", units.nanos(nanos)),
        Proof::Rate(rate) => args.text("rate", units.bits_per_second(rate.bits_per_sec())),
        Proof::LastFrom(side) | Proof::From(side) => args.text("end", wording.end(&problem.example, side)),
    };
    wording.catalogue().text(&format!("proof-{}", kebab(proof.id())), &args)
}
