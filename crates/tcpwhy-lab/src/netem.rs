//! Emulation by the kernel's netem. A namespace between both ends' veth devices forwards as a router does,
//! and each direction leaves it through netem and tbf. On an end's own interface, netem would keep delayed
//! packets in the sender's socket memory, which a path does not.

use crate::LabError;
use crate::interface::{MACS, address, configure_interface, device, quiet_ipv6, run, set, written};
use crate::namespace::Namespace;
use tcpwhy_scenario::{Bytes, DirectionSpec, End, Flow, Nanos, Scenario};

/// The two ends with one veth device each, and the namespace between them.
pub(crate) fn connect(scenario: &Scenario) -> Result<([Namespace; 2], Namespace), LabError> {
    let specs = [Flow::Forward, Flow::Back].map(|flow| scenario.link.direction(flow));
    if !scenario.link.changes.is_empty() || specs.iter().any(is_beyond) {
        return Err(LabError::Netem);
    }
    let new = || Namespace::new().map_err(LabError::Namespace);
    let (ends, wire) = ([new()?, new()?], new()?);
    // netem treats a super-packet as one frame, so losses need single frames.
    let needs_frames = specs.iter().any(|spec| options(spec).contains('%'));
    inside(&wire, || {
        let forwarding = if scenario.ip_version == 6 { "net.ipv6.conf.all.forwarding" } else { "net.ipv4.ip_forward" };
        set(forwarding, "1")?;
        for end in End::BOTH {
            add_side(scenario, end, &ends[end.index()].path()?)?;
        }
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

/// Creates the device that leads to `end`, whose namespace has the path `there`. It has the Ethernet address
/// of the other end, so each end sees the other as a direct neighbour.
fn add_side(scenario: &Scenario, end: End, there: &str) -> Result<(), LabError> {
    let (mtu, name) = (scenario.mtu, device(end));
    let [mac, their_mac] = [MACS[end.index()], MACS[end.other().index()]].map(written);
    let (version, bits) = if scenario.ip_version == 6 { ("-6", 128) } else { ("-4", 32) };
    let address = address(scenario.ip_version, end);
    run(&format!(
        "ip link add wire-{end} address {their_mac} mtu {mtu} type veth peer name {name} mtu {mtu} netns {there}"
    ))?;
    quiet_ipv6(&format!("wire-{end}"), scenario.ip_version)?;
    run(&format!("ip link set wire-{end} txqueuelen 20000 up"))?;
    run(&format!("ip {version} route add {address}/{bits} dev wire-{end}"))?;
    run(&format!("ip {version} neighbour replace {address} lladdr {mac} dev wire-{end} nud permanent"))
}

/// Whether a direction needs the emulator of this crate.
fn is_beyond(spec: &DirectionSpec) -> bool {
    spec.lose_every.is_some()
        || !spec.lose_data.is_empty()
        || spec.lose_syns.is_some()
        || spec.lose_merged.is_some()
        || spec.policer.is_some()
        || spec.reorder.is_some()
        || spec.ce_threshold.is_some()
        || spec.mtu.is_some()
        || spec.clamp_mss.is_some()
        || (spec.burst.is_some() && spec.loss.is_some())
        || (spec.jitter.is_some() && !spec.jitter_reorders)
}

/// Configures the queueing disciplines of one direction, on the device that leads to `to`.
fn shape(spec: &DirectionSpec, to: End, mtu: u32) -> Result<(), LabError> {
    let dev = format!("dev wire-{to}");
    let options = options(spec);
    if !options.is_empty() {
        // netem's limit counts packets and must never drop; tbf has the queue.
        run(&format!("tc qdisc add {dev} root handle 1: netem limit 10000000 {options}"))?;
    }
    if let (Some(rate), Some(Bytes(limit))) = (spec.rate, spec.queue_limit()) {
        let place = if options.is_empty() { "root handle 2:" } else { "parent 1: handle 2:" };
        // The burst is the data of 2 ms, because a smaller one would lose rate to the timer's ticks.
        let burst = (rate.0 / 4000).max(u64::from(mtu) * 3);
        let bits = rate.0;
        run(&format!("tc qdisc add {dev} {place} tbf rate {bits}bit burst {burst} limit {limit} overhead 24"))?;
    }
    Ok(())
}

/// Options of netem; empty if it has nothing to emulate.
pub(crate) fn options(spec: &DirectionSpec) -> String {
    let delay = spec.delay.unwrap_or_default();
    let delay = match spec.jitter {
        // The lab's jitter only adds to the delay; netem's goes both ways, so its mean is shifted by half.
        Some(Nanos(jitter)) => Some(format!("delay {} {}", Nanos(delay.0 + jitter / 2), Nanos(jitter / 2))),
        None => (delay.0 > 0).then(|| format!("delay {delay}")),
    };
    let loss = spec.loss.map(|loss| format!("loss random {loss}"));
    let burst = spec.burst.map(|burst| format!("loss gemodel {} {}%", burst.chance, 100.0 / burst.mean));
    let duplicate = spec.duplicate.map(|share| format!("duplicate {share}"));
    [delay, loss, burst, duplicate].into_iter().flatten().collect::<Vec<_>>().join(" ")
}
