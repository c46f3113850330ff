//! The path: netem for delays and losses, tbf for rate and queue, police for policers.

use std::fmt::Write as _;

use super::script::{FACING, PATH, line};
use crate::netem;
use tcpwhy_scenario::{Bytes, DirectionSpec, Flow, LinkSpec, Merged};

/// Limit for the frames in netem. It is large, so that only tbf limits the queue.
const NETEM_FRAMES: u32 = 100_000;

/// Writes one direction, on the interface where it leaves the path.
pub(super) fn write(out: &mut String, spec: &DirectionSpec, flow: Flow, device: &str) {
    let (from, to) = if flow == Flow::Back { ("receiver", "sender") } else { ("sender", "receiver") };
    line!(out, "\n# From the {from} to the {to}.");
    let netem = netem::options(spec);
    line!(out, "parent=root");
    if !netem.is_empty() {
        line!(out, "if in_path tc qdisc add dev {device} root handle 1: netem limit {NETEM_FRAMES} {netem}; then");
        line!(out, "    parent='parent 1:1'");
        line!(out, "else");
        line!(out, "    echo 'this kernel has no netem: without {netem}' >&2");
        line!(out, "fi");
    }
    if let Some(tbf) = tbf(spec) {
        line!(out, "in_path tc qdisc add dev {device} $parent handle 10: {tbf}");
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
    for what in missing(spec) {
        line!(out, "# tc cannot do this, `tcpwhy lab run` does: {what}");
    }
}

/// Rate and queue of tbf. The burst is the data of 1 ms, for coarse timers, or at least two frames.
fn tbf(spec: &DirectionSpec) -> Option<String> {
    let (rate, Bytes(queue)) = (spec.rate?.0, spec.queue_limit()?);
    let burst = (rate / 8000).max(3200);
    Some(format!("tbf rate {rate}bit burst {burst} limit {}", queue.max(burst)))
}

/// Lists what tc cannot do.
fn missing(spec: &DirectionSpec) -> Vec<String> {
    let mut missing = Vec::new();
    if let Some(share) = spec.reorder {
        let by = spec.held_back_by();
        missing
            .push(format!("{share} of the frames are held back by {by} (netem's reorder sends frames ahead instead)"));
    }
    if let Some(every) = spec.lose_every {
        missing.push(format!("each {every}th frame with data is lost"));
    }
    if !spec.lose_data.is_empty() {
        missing.push(format!("the frames with data number {:?} are lost", spec.lose_data));
    }
    if let Some(Merged { chance, frames }) = spec.lose_merged {
        missing.push(format!(
            "{chance} of the merged packets of {frames} frames are lost, but for the first of each train"
        ));
    }
    if let Some(count) = spec.lose_syns {
        missing.push(format!("the first {count} SYN is lost"));
    }
    if let Some(threshold) = spec.ce_threshold {
        missing.push(format!("packets that know ECN and waited for more than {threshold} are marked"));
    }
    if let Some(mtu) = spec.mtu {
        missing.push(format!("IP packets of more than {mtu} bytes are dropped without a word"));
    }
    if let Some(mss) = spec.clamp_mss {
        missing.push(format!("the MSS of SYNs is cut to {mss}"));
    }
    missing
}

/// Writes the changes of the link while the transfer runs.
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
            let had_netem = !netem::options(&specs[index]).is_empty();
            specs[index].apply(&change.to);
            let netem = netem::options(&specs[index]);
            let device = FACING[1 - index];
            let tc = format!("ip netns exec {PATH} tc qdisc");
            let mut commands = Vec::new();
            if had_netem {
                commands.push(format!("{tc} change dev {device} root handle 1: netem limit {NETEM_FRAMES} {netem}"));
            }
            if let Some(tbf) = tbf(&specs[index]).filter(|_| change.to.rate.is_some() || change.to.queue.is_some()) {
                commands.push(format!("{tc} change dev {device} handle 10: {tbf}"));
            }
            if !commands.is_empty() {
                let commands = commands.join(" 2>/dev/null; ");
                line!(out, "(sleep {}; {commands} 2>/dev/null || :) & jobs=\"$jobs $!\"", change.at.seconds());
            }
        }
    }
}
