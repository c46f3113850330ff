//! Network interfaces of the ends, configured by `ip`.

use std::fs;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::process::{Command, Stdio};

use crate::LabError;
use crate::os::turn_offloads_off;
use tcpwhy_scenario::sysctl::{is_machine_wide, path};
use tcpwhy_scenario::{End, Scenario};

const DEVICES: [&str; 2] = ["sender0", "receiver0"];

/// Ethernet addresses of the sender and the receiver.
pub(crate) const MACS: [[u8; 6]; 2] = [[2, 0, 0, 0, 0, 0x0a], [2, 0, 0, 0, 0, 0x0b]];

/// Settings with which every run begins. The buffers are the defaults of a machine with several gigabytes of
/// memory. Without `tcp_no_metrics_save`, a run would inherit ssthresh and round-trip time from the previous
/// run.
pub(crate) const DEFAULTS: [(&str, &str); 3] = [
    ("net.ipv4.tcp_no_metrics_save", "1"),
    ("net.ipv4.tcp_rmem", "4096 131072 6291456"),
    ("net.ipv4.tcp_wmem", "4096 16384 4194304"),
];

/// The name of an end's interface.
pub(crate) const fn device(end: End) -> &'static str {
    DEVICES[end.index()]
}

/// The address of an end, from the ranges for documentation (RFC 5737, RFC 3849).
pub const fn address(ip_version: u8, end: End) -> IpAddr {
    match (ip_version, end) {
        (6, End::Sender) => IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0xa, 0, 0, 0, 0, 0x10)),
        (6, End::Receiver) => IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0xb, 0, 0, 0, 0, 0x20)),
        (_, End::Sender) => IpAddr::V4(Ipv4Addr::new(192, 0, 2, 10)),
        (_, End::Receiver) => IpAddr::V4(Ipv4Addr::new(198, 51, 100, 20)),
    }
}

/// Settings of an end by name: the lab's defaults, then what the scenario asks.
pub fn settings(scenario: &Scenario, end: End) -> impl Iterator<Item = (&str, &str)> {
    let asked = scenario.end(end).sysctl.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    DEFAULTS.into_iter().chain(asked)
}

/// Sets the end's settings that belong to its network namespace.
fn set_all(scenario: &Scenario, end: End) -> Result<(), LabError> {
    settings(scenario, end).filter(|(name, _)| !is_machine_wide(name)).try_for_each(|(name, value)| set(name, value))
}

/// Sets a sysctl of this thread's namespace.
pub(crate) fn set(name: &str, value: &str) -> Result<(), LabError> {
    let failed = |error| LabError::Setting { name: name.to_owned(), value: value.to_owned(), error };
    let path = path(name).ok_or_else(|| failed(io::ErrorKind::InvalidInput.into()))?;
    fs::write(path, value).map_err(failed)
}

/// Configures everything except the interface itself; runs in the end's namespace after its interface exists.
pub(crate) fn configure_interface(scenario: &Scenario, end: End, single_frames: bool) -> Result<(), LabError> {
    let name = device(end);
    if single_frames || !scenario.end(end).offload {
        turn_offloads_off(name).map_err(|error| LabError::io(format!("turning offloads of {name} off"), error))?;
    }
    quiet_ipv6(name, scenario.ip_version)?;
    attach(scenario, end, name)?;
    set_all(scenario, end)
}

/// Disables router solicitations and automatic addresses, so that the captures contain only the transfer.
pub(crate) fn quiet_ipv6(name: &str, ip_version: u8) -> Result<(), LabError> {
    if !fs::exists("/proc/sys/net/ipv6").unwrap_or(false) {
        return if ip_version == 6 { Err(LabError::Kernel("IPv6")) } else { Ok(()) };
    }
    for (key, value) in [("disable_ipv6", u8::from(ip_version != 6)), ("accept_ra", 0), ("addr_gen_mode", 1)] {
        set(&format!("net.ipv6.conf.{name}.{key}"), &value.to_string())?;
    }
    Ok(())
}

/// An Ethernet address in the form of `ip`.
pub(crate) fn written(mac: [u8; 6]) -> String {
    mac.map(|byte| format!("{byte:02x}")).join(":")
}

/// Runs `ip` or `tc` in this thread's namespace.
pub(crate) fn run(command: &str) -> Result<(), LabError> {
    let mut words = command.split(' ');
    let program = words.next().unwrap_or_default();
    let output =
        Command::new(program).args(words).stdin(Stdio::null()).output().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => LabError::NoProgram(program.to_owned(), "iproute2"),
            _ => LabError::io(format!("`{command}`"), error),
        })?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let said = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("failed").trim().to_owned();
    if said.contains("kind is unknown") {
        let is = |kind: &str| command.contains(kind);
        return Err(LabError::Kernel(match () {
            () if is(" netem ") => "netem queueing discipline (CONFIG_NET_SCH_NETEM; modprobe sch_netem)",
            () if is(" tbf ") => "tbf queueing discipline (CONFIG_NET_SCH_TBF; modprobe sch_tbf)",
            () => "htb queueing discipline (CONFIG_NET_SCH_HTB; modprobe sch_htb)",
        }));
    }
    Err(LabError::Command { command: command.to_owned(), said })
}

/// Configures addresses, routes, neighbours and the interface's own rate.
fn attach(scenario: &Scenario, end: End, name: &str) -> Result<(), LabError> {
    let spec = scenario.end(end);
    let mine = address(scenario.ip_version, end);
    let theirs = address(scenario.ip_version, end.other());
    let (version, bits) = if scenario.ip_version == 6 { ("-6", 128) } else { ("-4", 32) };
    let no_dad = if scenario.ip_version == 6 { " nodad" } else { "" };
    let mac = written(MACS[end.index()]);
    let their_mac = written(MACS[end.other().index()]);
    let mtu = scenario.mtu;
    run("ip link set lo up")?;
    // The device's queue must never drop: only the link's queue may, as the scenario asks.
    run(&format!("ip link set {name} address {mac} mtu {mtu} txqueuelen 20000 up"))?;
    // TAP and veth release packets from the socket's memory at once. An htb class holds them until they are
    // sent, as a real interface does. Otherwise neither a small send buffer nor TCP small queues would limit
    // anything.
    run(&format!("tc qdisc add dev {name} root handle 1: htb default 1"))?;
    let nic = spec.nic.0;
    run(&format!("tc class add dev {name} parent 1: classid 1:1 htb rate {nic}bit quantum 60000"))?;
    run(&format!("ip {version} address add {mine}/{bits} dev {name}{no_dad}"))?;
    run(&format!("ip {version} route add {theirs}/{bits} dev {name} {}", spec.route_metrics()))?;
    run(&format!("ip {version} neighbour replace {theirs} lladdr {their_mac} dev {name} nud permanent"))
}
