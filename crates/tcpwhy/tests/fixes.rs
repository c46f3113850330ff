//! Lines of fixes that set a limit of Linux: none lowers the host's limit.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

#[allow(dead_code, reason = "captures are for other tests")]
mod support;

use std::path::{Path, PathBuf};

use tcpwhy_kernel::{Sysctl, SysctlValue, Sysctls};

use support::tcpwhy;

/// Paths of the bundled captures.
fn samples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut captures: Vec<_> = entries.filter(|path| path.to_string_lossy().ends_with(".pcap.gz")).collect();
    captures.sort();
    assert!(captures.len() > 15, "{captures:?}");
    captures
}

fn output(arguments: &[&str], language: &str) -> String {
    let output = tcpwhy().args(arguments).args(["--lang", language]).output().unwrap();
    assert!(output.stderr.is_empty(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The assignments `NAME=VALUE` in commands and in lines of `sysctl.conf`.
fn assignments(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some((_, rest)) = line.split_once("sysctl -w ") {
            let mut rest = rest.split('#').next().unwrap().trim();
            while let Some((name, value)) = rest.split_once('=') {
                let (value, after) = match value.strip_prefix('\'') {
                    Some(quoted) => quoted.split_once('\'').unwrap(),
                    None => value.split_once(' ').unwrap_or((value, "")),
                };
                all.push(format!("{name}={value}"));
                rest = after.trim();
            }
        } else if let Some((assignment, _)) = line.strip_prefix("echo \"").and_then(|rest| rest.split_once('"')) {
            all.push(assignment.to_owned());
        }
    }
    all
}

/// Fails for a limit below a default of kernels since 4.19. Returns the number of limits.
fn check_limits(what: &str, text: &str) -> usize {
    let mut limits = 0;
    for assignment in assignments(text) {
        let mut printed = Sysctls::new();
        let Ok(sysctl) = printed.assign(&assignment) else { continue };
        let floor = if sysctl.is_limit() { sysctl.largest_default() } else { None };
        let is_enough = match (printed.value(sysctl).unwrap(), floor) {
            (_, None) => continue,
            (SysctlValue::Number(printed), Some(SysctlValue::Number(floor))) => *printed >= floor,
            (SysctlValue::Triple(printed), Some(SysctlValue::Triple(floor))) => {
                printed.iter().zip(floor).all(|(printed, floor)| *printed >= floor)
            }
            _ => false,
        };
        assert!(is_enough, "{what}: {assignment}");
        limits += 1;
    }
    limits
}

/// Checks every capture, with the fixes for all languages and servers.
#[test]
fn no_capture_lowers_a_limit() {
    let mut limits = 0;
    for capture in samples() {
        let name = capture.to_string_lossy().into_owned();
        for (language, condition) in [("en", "only if sysctl "), ("zh-CN", "仅当 sysctl ")] {
            let text = output(&[&name, "--code", "all", "--width", "1000"], language);
            limits += check_limits(&name, &text);
            for line in text.lines().filter(|line| line.contains("sysctl -w")) {
                assert!(line.contains(condition) || line.contains("qdisc"), "{name}: {line}");
            }
            for format in [&["--json"][..], &["--format", "markdown"]] {
                let text = output(&[&[name.as_str()][..], format].concat(), language);
                limits += check_limits(&name, &text.replace("\\\"", "\"").replace("\",", "\n"));
            }
        }
    }
    assert!(limits > 30, "{limits}");
}

/// A host with lowered limits and paths that need little gets the defaults back.
#[test]
fn no_audit_lowers_a_limit() {
    let host = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/host");
    let host = host.to_str().unwrap();
    let lowered = [
        "net.ipv4.tcp_wmem=4096 8192 65536",
        "net.ipv4.tcp_rmem=4096 8192 65536",
        "net.core.wmem_max=65536",
        "net.core.rmem_max=65536",
    ];
    let lowered = lowered.iter().flat_map(|assignment| ["--sysctl", assignment]);
    for path in ["10mbit,10ms", "100mbit,20ms", "1gbit,20ms", "10gbit,100ms"] {
        for language in ["en", "zh-CN"] {
            let arguments: Vec<_> = ["audit", host, "--path", path].into_iter().chain(lowered.clone()).collect();
            let text = tcpwhy().args(&arguments).args(["--lang", language, "--width", "1000"]).output().unwrap();
            let text = String::from_utf8(text.stdout).unwrap();
            assert!(check_limits(path, &text) >= 4, "{path}: {text}");
        }
    }
}

/// Checks the fixes of `buffers` for lowered settings.
#[test]
fn no_remedy_of_buffers_lowers_a_limit() {
    let mut limits = 0;
    for kernel in ["4.19", "5.10", "6.12", "6.18"] {
        for [rtt, bandwidth] in [["10ms", "10mbit"], ["20ms", "100mbit"], ["20ms", "1gbit"], ["100ms", "10gbit"]] {
            for request in [&[][..], &["--sndbuf", "16KiB", "--rcvbuf", "16KiB"]] {
                let settings = ["net.ipv4.tcp_wmem=1 2 3000", "net.ipv4.tcp_rmem=1 2 3000", "net.core.wmem_max=5000"];
                let settings = settings.iter().flat_map(|assignment| ["--sysctl", assignment]);
                let path = ["buffers", "--kernel", kernel, "--rtt", rtt, "--bandwidth", bandwidth];
                let arguments: Vec<_> = path.into_iter().chain(settings).chain(request.iter().copied()).collect();
                for (language, condition) in [("en", "only if sysctl "), ("zh-CN", "仅当 sysctl ")] {
                    let text = output(&[&arguments[..], &["--width", "1000"]].concat(), language);
                    limits += check_limits(&arguments.join(" "), &text);
                    for line in text.lines().filter(|line| line.contains("sysctl -w")) {
                        assert!(line.contains(condition), "{line}");
                    }
                }
            }
        }
    }
    assert!(limits > 50, "{limits}");
}

/// The check recognizes a lower limit.
#[test]
fn a_lower_limit_is_seen() {
    let text = "  sysctl -w net.ipv4.tcp_sack=1 net.core.wmem_max=4194304  # a\n\
                echo \"net.ipv4.tcp_wmem = 4096 16384 4194304\" >> /etc/sysctl.d/90-tcp.conf\n\
                sysctl -w net.ipv4.tcp_rmem='4096 131072 33554432'  # b\n";
    assert_eq!(check_limits("", text), 3);
    for lower in ["net.core.wmem_max=4194303", "net.ipv4.tcp_wmem='4096 16384 65536'", "net.core.somaxconn=128"] {
        let text = format!("sysctl -w {lower}  # c");
        assert!(std::panic::catch_unwind(|| check_limits("", &text)).is_err(), "{lower}");
    }
    assert!(Sysctl::TcpMem.is_limit());
}
