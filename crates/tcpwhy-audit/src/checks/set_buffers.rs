//! What the checks of set buffers share: one finding for the connections of a process with a buffer of one size.

use tcpwhy_model::{Evidence, EvidenceKey, Finding, Fix, Rate, Severity};

use crate::check::finding;
use crate::evidence::{derived, process, reported, word};
use crate::{BufferSide, Check, HostFacts, LockGround, SetBuffer, buffers};

/// From this rate on a ceiling is out of most paths' reach.
const AMPLE_BITS_PER_SECOND: f64 = 1e9;
/// Autotuning must promise so much more for a ceiling to matter.
const WORTH_IT: f64 = 1.5;

pub(super) fn findings(
    facts: &HostFacts<'_>,
    check: &Check,
    side: BufferSide,
    fixes: fn(&str, u64) -> Vec<Fix>,
) -> Vec<Finding> {
    let mut groups: Vec<Vec<SetBuffer>> = Vec::new();
    for buffer in buffers::set_buffers(facts).into_iter().filter(|b| b.side == side) {
        // By ground too: what the kernel said and what is guessed do not mix.
        let key = |b: &SetBuffer| (b.process().to_owned(), b.buffer, b.ground, b.is_local);
        match groups.iter_mut().find(|group| key(&group[0]) == key(&buffer)) {
            Some(group) => group.push(buffer),
            None => groups.push(vec![buffer]),
        }
    }
    groups.iter().map(|group| one(facts, check, group, fixes)).collect()
}

/// Invariant: a group has at least one, and the first is the one that suffers most.
fn one(facts: &HostFacts<'_>, check: &Check, group: &[SetBuffer], fixes: fn(&str, u64) -> Vec<Fix>) -> Finding {
    let worst = &group[0];
    let mut finding = finding(check, severity(facts, worst), worst.ground.confidence());
    let mut evidence = Vec::from_iter(process(&worst.processes));
    evidence.extend([
        reported(EvidenceKey::SocketCount, group.len() as u64),
        reported(EvidenceKey::BufferBytes, worst.buffer),
        derived(EvidenceKey::AskedBytes, worst.buffer / 2),
    ]);
    // A limit that the socket has passed is none.
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
        // Next to leaving the buffer alone: it helps at once, and only until the connection ends.
        finding.fixes.insert(1.min(finding.fixes.len()), crate::fixes::unlock_send_buffer(holder.pid, holder.fd));
    }
    finding
}

/// A range this narrow is one number.
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
    // A path that was asked for tells what there is to be had.
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
        // Nothing shows that this buffer limits.
        Severity::Info
    }
}

/// A buffer for those that must set one: the fastest path asked for over this round trip, else what autotuning reaches.
fn wanted(facts: &HostFacts<'_>, buffer: &SetBuffer) -> u64 {
    let rtt = buffer.rtt.unwrap_or(0) as f64 / 1e6;
    let bdp = facts.paths.iter().map(|p| (p.rate.bytes_per_sec() * rtt) as u64).max();
    let autotuned = buffer.autotuned.map(|r| (r.bytes_per_sec() * rtt) as u64);
    bdp.filter(|&b| b > 0).or(autotuned).unwrap_or(0).max(buffer.buffer)
}
