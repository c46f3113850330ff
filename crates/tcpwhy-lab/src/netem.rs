//! The kernel's own emulator instead of ours: both ends' veth devices meet at a bridge in a namespace between them, and each
//! direction leaves that through netem and tbf. On the ends' own interfaces netem would keep what is on its way in the sender's
//! account, which a path does not.

use std::fs;

use crate::LabError;
use crate::ends::{configure_interface, device, run};
use crate::namespace::Namespace;
use crate::scenario::{Bytes, DirectionSpec, End, Flow, Nanos, Scenario};

/// The two ends with a veth device each, and what is between them.
pub(crate) fn connect(scenario: &Scenario) -> Result<([Namespace; 2], Namespace), LabError> {
    let specs = [Flow::Forward, Flow::Back].map(|flow| scenario.link.direction(flow));
    if !scenario.link.changes.is_empty() || specs.iter().any(is_beyond) {
        return Err(LabError::Netem);
    }
    let new = || Namespace::new().map_err(LabError::Namespace);
    let (ends, wire) = ([new()?, new()?], new()?);
    // netem takes a super-packet for one frame.
    let needs_frames = specs.iter().any(|spec| options(spec).contains('%'));
    inside(&wire, || {
        run("ip link add bridge0 type bridge stp_state 0 forward_delay 0 mcast_snooping 0")?;
        run("ip link set bridge0 up")?;
        End::BOTH.into_iter().try_for_each(|end| {
            let (mtu, there) = (scenario.mtu, ends[end.index()].path()?);
            let name = device(end);
            run(&format!("ip link add wire-{end} mtu {mtu} type veth peer name {name} mtu {mtu} netns {there}"))?;
            // Neither router solicitations nor listener reports come from the wire itself.
            let no_ipv6 = format!("/proc/sys/net/ipv6/conf/wire-{end}/disable_ipv6");
            if fs::exists(&no_ipv6).unwrap_or(false) {
                fs::write(&no_ipv6, "1").map_err(|error| LabError::io(no_ipv6, error))?;
            }
            run(&format!("ip link set wire-{end} master bridge0 txqueuelen 20000 up"))
        })?;
        shape(&specs[0], End::Receiver, scenario.mtu)?;
        shape(&specs[1], End::Sender, scenario.mtu)
    })?;
    for end in End::BOTH {
        inside(&ends[end.index()], || configure_interface(scenario, end, needs_frames))?;
    }
    Ok((ends, wire))
}

fn inside(namespace: &Namespace, f: impl FnOnce() -> Result<(), LabError> + Send) -> Result<(), LabError> {
    namespace.run(f).map_err(LabError::Namespace)?
}

/// What only the emulator of this crate does.
fn is_beyond(spec: &DirectionSpec) -> bool {
    spec.lose_every.is_some()
        || !spec.lose_data.is_empty()
        || spec.lose_syns.is_some()
        || spec.policer.is_some()
        || spec.reorder.is_some()
        || (spec.burst.is_some() && spec.loss.is_some())
        || (spec.jitter.is_some() && !spec.jitter_reorders)
}

/// Queueing disciplines of one direction, on the device that leads to `to`.
fn shape(spec: &DirectionSpec, to: End, mtu: u32) -> Result<(), LabError> {
    let dev = format!("dev wire-{to}");
    let options = options(spec);
    if !options.is_empty() {
        // Its limit counts packets, and would drop; the queue is tbf's.
        run(&format!("tc qdisc add {dev} root handle 1: netem limit 10000000 {options}"))?;
    }
    if let (Some(rate), Some(Bytes(limit))) = (spec.rate, spec.queue_limit()) {
        let place = if options.is_empty() { "root handle 2:" } else { "parent 1: handle 2:" };
        // What arrives within two milliseconds, or the timer's ticks would take from the rate.
        let burst = (rate.0 / 4000).max(u64::from(mtu) * 3);
        let bits = rate.0;
        run(&format!("tc qdisc add {dev} {place} tbf rate {bits}bit burst {burst} limit {limit} overhead 24"))?;
    }
    Ok(())
}

/// Options of netem; empty: nothing for it to do.
pub(crate) fn options(spec: &DirectionSpec) -> String {
    let delay = spec.delay.unwrap_or_default();
    let delay = match spec.jitter {
        // Ours is added, theirs is taken either way.
        Some(Nanos(jitter)) => Some(format!("delay {} {}", Nanos(delay.0 + jitter / 2), Nanos(jitter / 2))),
        None => (delay.0 > 0).then(|| format!("delay {delay}")),
    };
    let loss = spec.loss.map(|loss| format!("loss random {loss}"));
    let burst = spec.burst.map(|burst| format!("loss gemodel {} {}%", burst.chance, 100.0 / burst.mean));
    let duplicate = spec.duplicate.map(|share| format!("duplicate {share}"));
    [delay, loss, burst, duplicate].into_iter().flatten().collect::<Vec<_>>().join(" ")
}
