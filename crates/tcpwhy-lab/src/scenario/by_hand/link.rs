//! The path: netem for delays and losses, tbf for rate and queue, police for policers.

use std::fmt::Write as _;

use super::{FACING, PATH, line};
use crate::scenario::{BitRate, Bytes, DirectionSpec, Flow, LinkSpec, Nanos};

/// Frames that netem may hold: never its own limit.
const NETEM_FRAMES: u32 = 100_000;

/// One direction, on the interface where it leaves the path.
pub(super) fn write(out: &mut String, spec: &DirectionSpec, flow: Flow, device: &str) {
    let (from, to) = if flow == Flow::Back { ("receiver", "sender") } else { ("sender", "receiver") };
    line!(out, "\n# From the {from} to the {to}.");
    let (netem, missing) = netem(spec);
    line!(out, "parent=root");
    if !netem.is_empty() {
        line!(out, "if in_path tc qdisc add dev {device} root handle 1: netem limit {NETEM_FRAMES} {netem}; then");
        line!(out, "    parent='parent 1:1'");
        line!(out, "else");
        line!(out, "    echo 'this kernel has no netem: without {netem}' >&2");
        line!(out, "fi");
    }
    if let Some(rate) = spec.rate {
        line!(out, "in_path tc qdisc add dev {device} $parent handle 10: {}", tbf(rate, spec.queue));
    }
    if let Some(policer) = spec.policer {
        let ingress = if flow == Flow::Back { FACING[1] } else { FACING[0] };
        line!(out, "in_path tc qdisc add dev {ingress} clsact");
        line!(
            out,
            "in_path tc filter add dev {ingress} ingress matchall action police rate {}bit burst {} conform-exceed drop",
            policer.rate.0,
            policer.burst.0
        );
    }
    for what in missing {
        line!(out, "# tc cannot do this, `tcpwhy lab run` does: {what}");
    }
}

/// Rate and queue; a burst of two frames, or of a millisecond where timers are coarse.
fn tbf(rate: BitRate, queue: Option<Bytes>) -> String {
    let burst = (rate.0 / 8000).max(3200);
    // The lab's own default: a tenth of a second.
    let queue = queue.map_or(rate.0 / 80, |queue| queue.0);
    format!("tbf rate {}bit burst {burst} limit {}", rate.0, queue.max(burst))
}

/// netem's words, and what it has no words for.
fn netem(spec: &DirectionSpec) -> (String, Vec<String>) {
    let mut words = Vec::new();
    let mut missing = Vec::new();
    let delay = spec.delay.unwrap_or_default();
    match spec.jitter {
        // Its jitter goes both ways, the lab's is added.
        Some(jitter) => words.push(format!("delay {} {}", Nanos(delay.0 + jitter.0 / 2), Nanos(jitter.0 / 2))),
        None if delay.0 > 0 => words.push(format!("delay {delay}")),
        None => {}
    }
    match (spec.loss, spec.burst) {
        (_, Some(burst)) => words.push(format!("loss gemodel {} {:.3}%", burst.chance, 100.0 / burst.mean)),
        (Some(loss), None) if loss.0 > 0.0 => words.push(format!("loss {loss}")),
        _ => {}
    }
    if let Some(share) = spec.duplicate {
        words.push(format!("duplicate {share}"));
    }
    if let Some(share) = spec.reorder {
        let by = spec.reorder_by.unwrap_or(Nanos(1_000_000));
        missing
            .push(format!("{share} of the frames are held back by {by} (netem's reorder sends frames ahead instead)"));
    }
    if let Some(every) = spec.lose_every {
        missing.push(format!("each {every}th frame with data is lost"));
    }
    if !spec.lose_data.is_empty() {
        missing.push(format!("the frames with data number {:?} are lost", spec.lose_data));
    }
    if let Some(count) = spec.lose_syns {
        missing.push(format!("the first {count} SYN is lost"));
    }
    (words.join(" "), missing)
}

/// What changes while the transfer runs.
pub(super) fn changes(out: &mut String, link: &LinkSpec) {
    if link.changes.is_empty() {
        return;
    }
    line!(out, "\n# What changes on the way.");
    let mut specs = [link.direction(Flow::Forward), link.direction(Flow::Back)];
    for change in &link.changes {
        for (index, flow) in [Flow::Forward, Flow::Back].into_iter().enumerate() {
            if change.flow != Flow::Both && change.flow != flow {
                continue;
            }
            let had_netem = !netem(&specs[index]).0.is_empty();
            specs[index].apply(&change.to);
            let (netem, _) = netem(&specs[index]);
            let device = FACING[1 - index];
            let tc = format!("ip netns exec {PATH} tc qdisc");
            let mut commands = Vec::new();
            if had_netem {
                commands.push(format!("{tc} change dev {device} root handle 1: netem limit {NETEM_FRAMES} {netem}"));
            }
            if let (Some(rate), true) = (specs[index].rate, change.to.rate.is_some() || change.to.queue.is_some()) {
                commands.push(format!("{tc} change dev {device} handle 10: {}", tbf(rate, specs[index].queue)));
            }
            if !commands.is_empty() {
                let commands = commands.join(" 2>/dev/null; ");
                line!(out, "(sleep {}; {commands} 2>/dev/null || :) & jobs=\"$jobs $!\"", change.at.seconds());
            }
        }
    }
}
