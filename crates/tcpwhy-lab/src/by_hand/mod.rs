//! The same transfer by hand: a shell script of standard tools that anybody can read, change and run.
//!
//! The script uses three namespaces in a row. So the path's delay and queue are not on the sender's own
//! interface, where they would count against its socket. If the kernel lacks a feature (mostly netem), the
//! script omits it and prints that.

mod capture;
mod ending;
mod link;
mod programs;
mod script;
mod talk;

use std::fmt::Write as _;

use self::script::{FACING, NAMESPACES, PATH, line};
use crate::address;
use crate::interface::{DEFAULTS, device};
use tcpwhy_scenario::sysctl::is_machine_wide;
use tcpwhy_scenario::{End, EndSpec, Flow, Scenario, Work, one_line};

/// A script for `sh`, to be run as root in a scratch directory. It leaves two captures there and nothing
/// else.
pub fn by_hand(scenario: &Scenario) -> String {
    let mut out = String::new();
    head(&mut out, scenario);
    namespaces(&mut out, scenario);
    for end in End::BOTH {
        settings(&mut out, scenario.end(end), end);
    }
    machine_settings(&mut out, scenario);
    for (flow, facing) in [(Flow::Forward, FACING[1]), (Flow::Back, FACING[0])] {
        link::write(&mut out, &scenario.link.direction(flow), flow, facing);
    }
    captures(&mut out);
    capture::missing(&mut out, &scenario.capture);
    link::changes(&mut out, &scenario.link);
    match (&scenario.work, scenario.work.opener()) {
        (Work::Application(application), _) => programs::application(&mut out, scenario, application),
        (_, opener) => programs::sockets(&mut out, scenario, opener.unwrap_or(End::Receiver)),
    }
    tail(&mut out, scenario);
    out
}

fn head(out: &mut String, scenario: &Scenario) {
    line!(out, "#!/bin/sh");
    line!(out, "# {}", one_line(&format!("{}: {}", scenario.name, scenario.story.en.title)));
    line!(out, "set -e");
    line!(out, "in_sender() {{ ip netns exec {} \"$@\"; }}", NAMESPACES[0]);
    line!(out, "in_receiver() {{ ip netns exec {} \"$@\"; }}", NAMESPACES[1]);
    line!(out, "in_path() {{ ip netns exec {PATH} \"$@\"; }}");
    line!(out, "restore=:");
    line!(out, "DIR=$(mktemp -d)");
    line!(
        out,
        "trap 'kill $jobs 2>/dev/null || :; eval \"$restore\" || :; for n in {} {} {PATH}; do ip netns del $n 2>/dev/null || :; done; rm -rf \"$DIR\"' EXIT",
        NAMESPACES[0],
        NAMESPACES[1]
    );
    line!(out, "trap 'exit 1' INT TERM");
    line!(out, "jobs=");
}

fn namespaces(out: &mut String, scenario: &Scenario) {
    let is_six = scenario.ip_version == 6;
    let (version, bits) = if is_six { ("-6", 128) } else { ("-4", 32) };
    let no_dad = if is_six { " nodad" } else { "" };
    line!(out, "\n# Two ends, and between them what stands for the path.");
    for name in [NAMESPACES[0], PATH, NAMESPACES[1]] {
        line!(out, "ip netns add {name}");
        line!(out, "ip -n {name} link set lo up");
    }
    let forwarding = if is_six { "net.ipv6.conf.all.forwarding" } else { "net.ipv4.ip_forward" };
    line!(out, "in_path sysctl -qw {forwarding}=1");
    for end in End::BOTH {
        let (name, device, facing) = (NAMESPACES[end.index()], device(end), FACING[end.index()]);
        let (mine, gateway) = (address(scenario.ip_version, end), gateway(is_six, end));
        line!(out, "ip link add {device} netns {name} type veth peer name {facing} netns {PATH}");
        line!(out, "ip -n {name} link set {device} mtu {} txqueuelen 20000 up", scenario.mtu);
        line!(out, "ip -n {PATH} link set {facing} mtu {} txqueuelen 20000 up", scenario.mtu);
        line!(out, "ip {version} -n {name} address add {mine}/{bits} dev {device}{no_dad}");
        line!(out, "ip {version} -n {PATH} address add {gateway}/{bits} dev {facing}{no_dad}");
        line!(out, "ip {version} -n {name} route add {gateway}/{bits} dev {device}");
        let metrics = scenario.end(end).route_metrics();
        line!(out, "ip {version} -n {name} route add default via {gateway} dev {device} {metrics}");
        line!(out, "ip {version} -n {PATH} route add {mine}/{bits} dev {facing}");
        line!(out, "# One frame at a time, or a loss would take 64 KB at once.");
        line!(out, "! command -v ethtool >/dev/null || in_path ethtool -K {facing} tso off gso off gro off >/dev/null");
        if !scenario.end(end).offload {
            line!(
                out,
                "! command -v ethtool >/dev/null || ip netns exec {name} ethtool -K {device} tso off gso off gro off >/dev/null"
            );
        }
        line!(out, "# veth takes packets from the socket's account at once; a real interface does not, nor does htb.");
        line!(out, "ip netns exec {name} tc qdisc add dev {device} root handle 1: htb default 1");
        line!(
            out,
            "ip netns exec {name} tc class add dev {device} parent 1: classid 1:1 htb rate {}bit quantum 60000",
            scenario.end(end).nic.0
        );
    }
}

/// The path's address on the side of an end, from the ranges for documentation.
const fn gateway(is_six: bool, end: End) -> &'static str {
    match (is_six, end) {
        (true, End::Sender) => "2001:db8:a::1",
        (true, End::Receiver) => "2001:db8:b::1",
        (false, End::Sender) => "192.0.2.1",
        (false, End::Receiver) => "198.51.100.1",
    }
}

fn settings(out: &mut String, spec: &EndSpec, end: End) {
    line!(out, "\n# Settings of the {end}.");
    for (name, value) in DEFAULTS {
        line!(out, "in_{end} sysctl -qw {name}='{value}'");
    }
    for (name, value) in spec.sysctl.iter().filter(|(name, _)| !is_machine_wide(name)) {
        line!(out, "in_{end} sysctl -qw {name}={}", quoted(value));
    }
}

fn machine_settings(out: &mut String, scenario: &Scenario) {
    let settings = scenario.machine_wide();
    if settings.is_empty() {
        return;
    }
    line!(out, "\n# The whole machine's: set back at the end.");
    for (name, value) in settings {
        line!(out, "restore=\"$restore; sysctl -qw {name}='$(sysctl -n {name})'\"");
        line!(out, "sysctl -qw {name}={}", quoted(value));
    }
}

/// The text as one word of the shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn captures(out: &mut String) {
    line!(out, "\n# Both ends are captured.");
    for end in End::BOTH {
        let device = device(end);
        line!(
            out,
            "in_{end} tcpdump -i {device} -s 128 -B 32768 -U -Z root -w {end}.pcap tcp 2>/dev/null & jobs=\"$jobs $!\""
        );
    }
    line!(out, "sleep 1");
}

fn tail(out: &mut String, scenario: &Scenario) {
    line!(out, "\nsleep 2");
    for end in End::BOTH {
        let counters = scenario.expect.counters.at(end);
        if !counters.is_empty() {
            line!(out, "# A new namespace counts from 0.");
            line!(out, "! command -v nstat >/dev/null || in_{end} nstat -azs {}", counters.join(" "));
        }
    }
    line!(out, "echo 'captured: sender.pcap, receiver.pcap; now: tcpwhy sender.pcap'");
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    use super::*;
    use tcpwhy_scenario::{bundled, random};

    fn all() -> impl Iterator<Item = Scenario> {
        bundled::all().chain((0..24).map(|index| random(3, index)))
    }

    /// The result of `program` with `input`; `None` if it is not installed.
    fn says(program: &str, arguments: &[&str], input: &str) -> Option<Result<(), String>> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().ok()?;
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        Some(if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) })
    }

    /// All scripts are checked in one process, because starting a program takes longer than reading a script.
    #[test]
    fn scripts_are_shell() {
        let scripts: String = all().map(|scenario| by_hand(&scenario)).collect();
        for shell in ["sh", "bash"] {
            if let Some(result) = says(shell, &["-n"], &scripts) {
                assert_eq!(result, Ok(()), "{shell}");
            }
        }
    }

    #[test]
    fn programs_are_python() {
        let check = "import sys\nfor text in sys.stdin.read().split('\\0'): compile(text, text, 'exec')";
        let scripts: Vec<String> = all().map(|scenario| by_hand(&scenario)).collect();
        let programs: Vec<&str> = scripts
            .iter()
            .flat_map(|script| script.split("<<'EOF'\n").skip(1))
            .map(|part| part.split("\nEOF\n").next().unwrap())
            .collect();
        assert!(programs.len() > 100);
        if let Some(result) = says("python3", &["-c", check], &programs.join("\0")) {
            assert_eq!(result, Ok(()));
        }
    }

    #[test]
    fn what_is_imposed_is_in_the_script() {
        let script = |name: &str| by_hand(&bundled::get(name).unwrap());
        assert!(script("sndbuf-16k").contains("SO_SNDBUF, 16384"));
        assert!(script("sndbuf-16k").contains("delay 10ms"));
        assert!(script("sndbuf-256k-clamped").contains("sysctl -qw net.core.wmem_max='131072'"));
        assert!(
            script("sndbuf-256k-clamped").contains("; sysctl -qw net.core.wmem_max='$(sysctl -n net.core.wmem_max)'")
        );
        assert!(script("loss20-bbr").contains("loss random 20%") && script("loss20-bbr").contains("b\"bbr\""));
        assert!(script("policer").contains("police rate 10000000bit"));
        assert!(script("sndbuf-64k-ipv6").contains("2001:db8:a::10/128"));
        assert!(script("rate-drop").contains("sleep 2"));
        assert!(script("reset-by-receiver").contains("Resetting(s, 5000000, 'received')"));
        assert!(script("goodbye-after-silence").contains("time.sleep(5)\ns.sendall(bytes(31))"));
        assert!(script("request-unanswered").contains("s.settimeout(3)"));
        assert!(script("heartbeats").contains("start + turn * 1 - "));
        assert!(script("clock-steps").contains("set back by 400ms"));
        assert!(script("minimum-rto").contains(" rto_min 1000ms\n"));
        let by_host = script("bbr-default");
        assert!(by_host.contains(" congctl bbr\n") && !by_host.contains("b\"bbr\""));
        // Neither program would end by itself, so each needs a timeout.
        assert!(script("both-ends-write").contains("timeout 2.5 python3 \"$DIR/sender.py\""));
        // In an upload, the server is the receiver.
        let upload = script("nginx-h2-upload");
        assert!(
            upload.contains("SERVER=198.51.100.20 ") && upload.contains("in_receiver sh -e \"$DIR/receiver-run\" &")
        );
        assert!(script("syn-lost").contains("first 1 SYN"));
        assert!(script("collapse-spike").contains("in_receiver nstat -azs TcpExtPruneCalled TcpExtTCPRcvCollapsed"));
        assert!(!script("sndbuf-16k").contains("nstat"));
    }

    /// The test replaces `sysctl` by a script that prints its arguments.
    #[test]
    fn settings_of_the_machine_are_set_back() {
        let mut scenario = bundled::get("sndbuf-auto").unwrap();
        scenario.sender.sysctl.insert("net.ipv4.tcp_mem".to_owned(), "7 8 9".to_owned());
        for end in [&mut scenario.sender, &mut scenario.receiver] {
            end.sysctl.insert("net.core.wmem_max".to_owned(), "it's".to_owned());
        }
        let mut script =
            "sysctl() { if [ $1 = -n ]; then echo '1 2 3'; else echo \"$2\" >&2; fi; }\nrestore=:\n".to_owned();
        machine_settings(&mut script, &scenario);
        script.push_str("eval \"$restore\"\nexit 1\n");
        let Some(said) = says("sh", &[], &script) else { return };
        let expected =
            "net.core.wmem_max=it's\nnet.ipv4.tcp_mem=7 8 9\nnet.core.wmem_max=1 2 3\nnet.ipv4.tcp_mem=1 2 3\n";
        assert_eq!(said, Err(expected.to_owned()));
    }
}
