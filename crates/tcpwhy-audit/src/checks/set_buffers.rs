//! Code shared by the checks of set buffers: one finding per process and size of buffer.

use tcpwhy_model::{Evidence, EvidenceKey, Finding, Fix, Rate, Severity};

use crate::check::finding;
use crate::evidence::{derived, process, reported, word};
use crate::{BufferSide, Check, HostFacts, LockGround, SetBuffer, buffers};

/// Ceiling, bits/s, that few paths can exceed.
const AMPLE_BITS_PER_SECOND: f64 = 1e9;
/// Least gain from autotuning, as a factor, for which a ceiling matters.
const WORTH_IT: f64 = 1.5;

pub(super) fn findings(
    facts: &HostFacts<'_>,
    check: &Check,
    side: BufferSide,
    fixes: fn(&str, u64) -> Vec<Fix>,
) -> Vec<Finding> {
    let mut groups: Vec<Vec<SetBuffer>> = Vec::new();
    for buffer in buffers::set_buffers(facts).into_iter().filter(|b| b.side == side) {
        // The ground is part of the key, so that buffers that the kernel reported and guessed ones do not
        // mix.
        let key = |b: &SetBuffer| (b.process().to_owned(), b.buffer, b.ground, b.is_local);
        match groups.iter_mut().find(|group| key(&group[0]) == key(&buffer)) {
            Some(group) => group.push(buffer),
            None => groups.push(vec![buffer]),
        }
    }
    groups.iter().map(|group| one(facts, check, group, fixes)).collect()
}

/// Invariant: a group is not empty, and its first buffer costs the most.
fn one(facts: &HostFacts<'_>, check: &Check, group: &[SetBuffer], fixes: fn(&str, u64) -> Vec<Fix>) -> Finding {
    let worst = &group[0];
    let mut finding = finding(check, severity(facts, worst), worst.ground.confidence());
    let mut evidence = Vec::from_iter(process(&worst.processes));
    evidence.extend([
        reported(EvidenceKey::SocketCount, group.len() as u64),
        reported(EvidenceKey::BufferBytes, worst.buffer),
        derived(EvidenceKey::AskedBytes, worst.buffer / 2),
    ]);
    // A limit that the socket has exceeded is wrong, so it is not shown.
    let is_refuted = worst.ceiling.is_none() && worst.reached.is_some();
    evidence.extend((!is_refuted).then(|| derived(EvidenceKey::FlightBytes, worst.flight)));
    evidence.extend(worst.rtt.map(|rtt| reported(EvidenceKey::RttUs, rtt)));
    if !worst.is_local {
        evidence.extend(rates(worst));
    }
    evidence.push(reported(EvidenceKey::Socket, word(format!("{} → {}", worst.local, worst.peer))));
    evidence.extend(worst.processes.first().map(|p| reported(EvidenceKey::Pid, word(p.pid.to_string()))));
    evidence.push(derived(EvidenceKey::IsAtLimit, worst.is_binding));
    if worst.ground != LockGround::Kernel {
        evidence.push(derived(EvidenceKey::SetBecause, word(worst.ground.id())));
    }
    finding.evidence = evidence;
    finding.fixes = fixes(worst.process(), wanted(facts, worst));
    if let Some(holder) = worst.processes.first()
        && worst.side == BufferSide::Send
        && worst.ground == LockGround::Kernel
        && !worst.is_local
    {
        // Restoring autotuning comes after deleting the call: it helps at once, but only until the connection
        // ends.
        finding.fixes.insert(1.min(finding.fixes.len()), crate::fixes::unlock_send_buffer(holder.pid, holder.fd));
    }
    finding
}

/// Ratio of a range's ends up to which one number is shown.
const ONE_RATE: f64 = 1.3;

fn rates(buffer: &SetBuffer) -> impl Iterator<Item = Evidence> {
    let rate = |name, rate: Option<Rate>| rate.map(|r| derived(name, r.bits_per_sec().round()));
    let is_range = |low: &Rate| buffer.ceiling.is_some_and(|high| high.bits_per_sec() > ONE_RATE * low.bits_per_sec());
    let reached = buffer.reached.filter(|_| buffer.ceiling.is_none());
    [
        rate(EvidenceKey::CeilingLowBitsPerS, buffer.ceiling_low.filter(is_range)),
        rate(EvidenceKey::CeilingBitsPerS, buffer.ceiling),
        reached.map(|r| reported(EvidenceKey::ReachedBitsPerS, r.bits_per_sec().round())),
        rate(EvidenceKey::AutotunedBitsPerS, buffer.autotuned),
    ]
    .into_iter()
    .flatten()
}

fn severity(facts: &HostFacts<'_>, buffer: &SetBuffer) -> Severity {
    let Some((allowed, factor)) = buffer.allowed().map(Rate::bits_per_sec).zip(buffer.loss_factor()) else {
        return Severity::Info;
    };
    // A requested path shows the rate that is possible.
    let wanted = facts
        .paths
        .iter()
        .map(|p| p.rate.bits_per_sec())
        .fold(None, |most: Option<f64>, rate| Some(most.map_or(rate, |m| m.max(rate))));
    if buffer.is_local || factor < WORTH_IT || allowed >= wanted.unwrap_or(AMPLE_BITS_PER_SECOND) {
        Severity::Info
    } else if buffer.is_binding {
        Severity::Critical
    } else if buffer.ceiling.is_some() {
        Severity::Warning
    } else {
        // There is no evidence that this buffer limits.
        Severity::Info
    }
}

/// Buffer size for applications that must set one. It suits the fastest requested path over this round trip,
/// else the rate that autotuning would reach.
fn wanted(facts: &HostFacts<'_>, buffer: &SetBuffer) -> u64 {
    let rtt = buffer.rtt.unwrap_or(0) as f64 / 1e6;
    let bdp = facts.paths.iter().map(|p| (p.rate.bytes_per_sec() * rtt) as u64).max();
    let autotuned = buffer.autotuned.map(|r| (r.bytes_per_sec() * rtt) as u64);
    bdp.filter(|&b| b > 0).or(autotuned).unwrap_or(0).max(buffer.buffer)
}
