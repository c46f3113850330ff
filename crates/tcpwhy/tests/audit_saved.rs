//! `tcpwhy audit` of hosts saved as text in the formats that administrators use.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

#[allow(dead_code, reason = "captures are for other tests")]
mod support;

use std::fs;

use serde_json::Value;
use support::tcpwhy;

/// Audits a folder with these files.
fn audit(files: &[(&str, &str)]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let output = tcpwhy().arg("audit").arg(folder.path()).arg("--json").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn finding<'a>(document: &'a Value, rule: &str) -> Option<&'a Value> {
    document["findings"].as_array().unwrap().iter().find(|finding| finding["rule"] == rule)
}

#[track_caller]
fn found<'a>(document: &'a Value, rule: &str) -> &'a Value {
    finding(document, rule).unwrap_or_else(|| panic!("{rule} not in {document:#}"))
}

const KERNEL: (&str, &str) = ("version", "Linux version 6.18.44-generic (gcc)\n");
const SYSCTLS: (&str, &str) =
    ("sysctl", "net.ipv4.tcp_rmem = 4096 131072 6291456\nnet.ipv4.tcp_wmem = 4096 16384 4194304\n");

/// A socket with `SO_SNDBUF` of 16 KiB and 20 ms, as `ss -tinmpe` of Linux 6.18 printed it, plus `rest`.
fn sender(rest: &str) -> String {
    format!(
        "ESTAB 0 0 192.0.2.10:40844 198.51.100.20:9011 users:((\"writer\",pid=4242,fd=3)) uid:0 ino:2816017 sk:a9fa \
         so_buf_lock:1 ts sack cubic wscale:7,7 rto:224 rtt:20.699/0.111 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 \
         cwnd:793 {rest} minrtt:20.071\n"
    )
}

/// Writes of 8 KiB under Nagle's algorithm reach 72 Mbit/s, 2.9 times the rate that the buffer allows with
/// full skbs.
#[test]
fn a_limit_is_never_below_the_rate_of_the_socket() {
    let writer = "skmem:(r0,rb131072,t0,tb32768,f448,w0,o0,bl0,d0) bytes_acked:72472801 busy:7984ms";
    let document = audit(&[KERNEL, SYSCTLS, ("ss", &sender(writer))]);
    let buffer = &document["set_buffers"][0];
    assert_eq!((&buffer["ceiling_bits_per_s"], &buffer["ceiling_low_bits_per_s"]), (&Value::Null, &Value::Null));
    assert!((buffer["reached_bits_per_s"].as_f64().unwrap() / 1e6 - 72.6).abs() < 0.1, "{buffer:#}");
    let finding = found(&document, "socket-send-buffer-set");
    let sentence = finding["sentence"].as_str().unwrap();
    assert!(sentence.contains("72.6 Mbit/s") && !sentence.contains("at most"), "{sentence}");
    assert_eq!(finding["severity"], "info", "nothing shows that the buffer limits");

    // A rate close to the limit raises the limit and does not contradict it.
    let writer = "skmem:(r0,rb131072,t0,tb32768,f448,w0,o0,bl0,d0) bytes_acked:28000000 busy:7984ms";
    let document = audit(&[KERNEL, SYSCTLS, ("ss", &sender(writer))]);
    let ceiling = document["set_buffers"][0]["ceiling_bits_per_s"].as_f64().unwrap();
    assert!((ceiling / 1e6 - 28.06).abs() < 0.01, "{ceiling}");
}

/// A full queue of 15 skbs with one segment each shows the size of the writes. Without a full queue the limit
/// is a range.
#[test]
fn the_limit_follows_the_size_of_the_writes() {
    let limits = |rest: &str| {
        let document = audit(&[KERNEL, SYSCTLS, ("ss", &sender(rest))]);
        let buffer = &document["set_buffers"][0];
        ["flight_low_bytes", "flight_bytes"].map(|key| buffer[key].as_u64().unwrap())
    };
    let idle = "skmem:(r0,rb131072,t0,tb32768,f448,w0,o0,bl0,d0)";
    let [low, high] = limits(idle);
    // The low end is one segment per `poll()` until two thirds of 32,768 are used; the high end is one skb of
    // 45 segments.
    assert_eq!((low, high), (10 * 1448, 45 * 1448));
    let text = sender("skmem:(r0,rb131072,t0,tb32768,f2664,w34200,o0,bl0,d0) unacked:15 notsent:0");
    let document = audit(&[KERNEL, SYSCTLS, ("ss", &text.replacen("ESTAB 0 0", "ESTAB 0 21720", 1))]);
    let buffer = &document["set_buffers"][0];
    assert_eq!((&buffer["flight_low_bytes"], &buffer["flight_bytes"]), (&21_720.into(), &21_720.into()));
}

/// 1,205 of 647,573 segments were retransmitted, most as tail loss probes, and 1,033 duplicates were
/// reported.
const HEALTHY: &str = "#kernel\nTcpInSegs 546329 0.0\nTcpOutSegs 647573 0.0\nTcpRetransSegs 1205 0.0\n\
                       TcpExtTCPLossProbes 1101 0.0\nTcpExtTCPDSACKRecv 1033 0.0\nTcpExtTCPSynRetrans 35 0.0\n";
/// 2 % were retransmitted, half of them unnecessarily.
const REORDERED: &str = "#kernel\nTcpInSegs 1000000 0.0\nTcpOutSegs 1000000 0.0\nTcpRetransSegs 20000 0.0\n\
                         TcpExtTCPDSACKRecv 10000 0.0\nTcpExtTCPSACKReorder 9000 0.0\n";

#[test]
fn a_bond_is_named_where_there_is_one() {
    let healthy = audit(&[KERNEL, SYSCTLS, ("nstat", HEALTHY)]);
    for rule in ["needless-retransmissions", "retransmission-share"] {
        assert_eq!(finding(&healthy, rule), None);
    }
    let text = |files: &[(&str, &str)]| {
        let document = audit(&[&[KERNEL, SYSCTLS, ("nstat", REORDERED)], files].concat());
        found(&document, "needless-retransmissions")["fixes"].to_string()
    };
    let bond =
        |mode: &str| format!("Ethernet Channel Bonding Driver: v6.18.44\n\nBonding Mode: {mode}\nMII Status: up\n");
    let round_robin = text(&[("proc/net/bonding/bond7", &bond("load balancing (round-robin)"))]);
    assert!(round_robin.contains("bond7") && round_robin.contains("802.3ad"), "{round_robin}");
    assert!(text(&[("bonds", "network_bonds bond3=balance-rr\n")]).contains("bond3"));
    for none in [
        text(&[]),
        text(&[("bonds", "network_bonds\n")]),
        text(&[("proc/net/bonding/bond7", &bond("IEEE 802.3ad Dynamic link aggregation"))]),
    ] {
        assert!(!none.to_lowercase().contains("bond"), "{none}");
    }
}

#[test]
fn counters_that_are_findings_now() {
    let counters = "#kernel\nTcpInSegs 100000 0.0\nTcpInCsumErrors 4000 0.0\nTcpExtTCPWqueueTooBig 900 0.0\n";
    let document =
        audit(&[("version", "Linux version 4.19.55\n"), SYSCTLS, ("nstat", counters), ("uptime", "9000.0 1.0\n")]);
    let checksums = found(&document, "checksum-errors");
    assert_eq!(checksums["severity"], "warning");
    assert!(checksums["fixes"].to_string().contains("ethtool -K $DEV tx off"), "{}", checksums["fixes"]);
    assert!(found(&document, "send-queue-refuses")["fixes"].to_string().contains("SO_SNDBUF"));
    let kernel = found(&document, "kernel-regression");
    assert!(kernel["fixes"].to_string().contains("4.19.62 has the fix (b617158dc096)"), "{kernel:#}");
    let later = audit(&[("version", "Linux version 4.19.62\n"), SYSCTLS, ("nstat", counters)]);
    assert_eq!(finding(&later, "kernel-regression"), None);
    found(&later, "send-queue-refuses");
}

/// Cookies were off when the counter increased, and are on now.
#[test]
fn a_counter_does_not_tell_the_setting() {
    let counters = "#kernel\nTcpExtTCPReqQFullDrop 2975 0.0\nTcpExtListenDrops 2975 0.0\n";
    let sentence = |mode: &str| {
        let sysctls = format!("{}net.ipv4.tcp_syncookies = {mode}\n", SYSCTLS.1);
        let document = audit(&[KERNEL, ("sysctl", &sysctls), ("nstat", counters), ("uptime", "9000.0 1.0\n")]);
        let finding = found(&document, "syn-queue-full");
        (finding["severity"].as_str().unwrap().to_owned(), finding["sentence"].as_str().unwrap().to_owned())
    };
    let (severity, on) = sentence("1");
    assert!(severity == "info" && on.contains("They are on now"), "{severity}: {on}");
    let (severity, off) = sentence("0");
    assert!(severity == "critical" && !off.contains("on now"), "{severity}: {off}");
}

/// Values as in the message of kernel commit 72d05c00d7ec:
/// `skmem:(r0,rb131072,…) rcv_space:62496 rcv_ssthresh:56596`.
#[test]
fn a_kernel_whose_window_never_grows_with_jumbo_frames() {
    let socket = "ESTAB 0 0 192.0.2.10:5001 198.51.100.20:40000 users:((\"ingest\",pid=7,fd=4)) ino:9 sk:1 \
                  skmem:(r0,rb131072,t0,tb332800,f0,w0,o0,bl0,d0) so_buf_lock:0 ts sack cubic wscale:7,7 rto:240 rtt:40/1 \
                  mss:1448 pmtu:9001 rcvmss:1448 advmss:8949 cwnd:10 bytes_received:800000000 rcv_space:62496 \
                  rcv_ssthresh:56596 minrtt:39\n";
    let of = |version: &str| {
        let version = format!("Linux version {version}\n");
        audit(&[("version", &version), SYSCTLS, ("ss", socket)])
    };
    let document = of("4.19.112-generic");
    let kernel = found(&document, "kernel-regression");
    assert!(kernel["sentence"].as_str().unwrap().contains("never starts"), "{kernel:#}");
    assert!(kernel["fixes"].to_string().contains("4096 196608 33554432"), "{kernel:#}");
    for fixed in ["4.19.85", "4.19.164", "5.10.0", "6.18.44"] {
        assert_eq!(finding(&of(fixed), "kernel-regression"), None, "{fixed}");
    }
}

/// The full text output about a folder with these files, and the answer alone.
fn text(files: &[(&str, &str)], args: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let output = tcpwhy().arg("audit").arg(folder.path()).args(args).args(["--width", "200"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A healthy connection of a database, unless `rest` changes it.
fn connection(timer: &str, rest: &str) -> String {
    format!(
        "ESTAB 0 43200 192.0.2.10:3306 198.51.100.20:40112 users:((\"db\",pid=77,fd=9)){timer} uid:0 ino:91 sk:1f \
         skmem:(r0,rb131072,t0,tb87040,f0,w0,o0,bl0,d0) cubic wscale:7,7 rto:224 rtt:20.1/0.4 mss:1448 pmtu:1500 \
         advmss:1448 cwnd:10 {rest}\n"
    )
}

const COUNTERS: (&str, &str) =
    ("nstat", "#kernel\nTcpInSegs 900000 0.0\nTcpOutSegs 900000 0.0\nTcpRetransSegs 10 0.0\n");
const SOCKSTAT: (&str, &str) = ("sockstat", "sockets: used 9\nTCP: inuse 1 orphan 0 tw 0 alloc 1 mem 1\n");
const UPTIME: (&str, &str) = ("uptime", "90000.00 100.00\n");

/// A host counts as healthy only if everything was read and nothing is lost.
#[test]
fn nothing_to_change_is_said_of_a_whole_and_healthy_host_alone() {
    let clean = "bytes_sent:90000000 bytes_retrans:9000 data_segs_out:62000 so_buf_lock:0";
    let whole = |ss: &str| text(&[KERNEL, SYSCTLS, COUNTERS, SOCKSTAT, UPTIME, ("ss", ss)], &["-q"]);
    let healthy = whole(&connection("", clean));
    assert!(healthy.contains("Nothing to change."), "{healthy}");

    for (what, socket) in [
        ("waits for a timeout", connection(" timer:(on,19sec,6)", "backoff:6 unacked:14 lost:14 retrans:1/7")),
        ("the same without timers", connection("", "backoff:6 unacked:14 lost:14 retrans:1/7")),
        ("lost segments", connection("", &format!("{clean} unacked:9 lost:3 retrans:2/40"))),
        ("many retransmissions", connection("", "bytes_sent:9000000 bytes_retrans:2100000 data_segs_out:6200")),
        ("most of a little", connection("", "bytes_sent:9000 bytes_retrans:2700 data_segs_out:10")),
        ("a zero window", connection(" timer:(persist,1sec,0)", "backoff:1")),
    ] {
        let said = whole(&socket);
        assert!(!said.contains("Nothing") && said.contains("192.0.2.10:3306"), "{what}: {said}");
    }
    for (missing, files, ss) in [
        ("counters", vec![KERNEL, SYSCTLS, SOCKSTAT, UPTIME], true),
        ("settings", vec![KERNEL, COUNTERS, SOCKSTAT, UPTIME], true),
        ("memory of the TCP stack", vec![KERNEL, SYSCTLS, COUNTERS, UPTIME], true),
        ("the kernel's version", vec![SYSCTLS, COUNTERS, SOCKSTAT, UPTIME], true),
        ("sockets", vec![KERNEL, SYSCTLS, COUNTERS, SOCKSTAT, UPTIME], false),
    ] {
        let socket = connection("", clean);
        let files: Vec<_> = files.into_iter().chain(ss.then_some(("ss", socket.as_str()))).collect();
        for args in [&["-q"][..], &[]] {
            let said = text(&files, args);
            let answer = said.lines().skip(1).take(3).collect::<Vec<_>>().join(" ");
            assert!(answer.contains(&format!("Not read: {missing}")), "{missing}: {said}");
            assert!(!said.contains("Nothing to change") && answer.contains("--save"), "{missing}: {said}");
        }
        let document = audit(&files);
        let gaps = document["host"]["gaps"].as_array().unwrap();
        assert!(gaps.iter().any(|gap| gap["hides_findings"] == true), "{missing}: {gaps:?}");
    }
    // Addresses only, as `ss -tn` prints them.
    let bare = "ESTAB 0 0 192.0.2.10:3306 198.51.100.20:40112\n";
    let said = whole(bare);
    assert!(said.contains("Not read: details of connections (ss -tinmo)"), "{said}");
}

/// The finding names the connection, with the numbers that `ss` shows.
#[test]
fn a_connection_that_gets_no_answer_is_named() {
    let socket = connection(" timer:(on,19sec,6)", "backoff:6 unacked:14 lost:14 retrans:1/7");
    let document = audit(&[KERNEL, SYSCTLS, ("ss", &socket)]);
    let finding = found(&document, "socket-backoff");
    assert_eq!(finding["severity"], "warning");
    let sentence = finding["sentence"].as_str().unwrap();
    assert!(sentence.contains("db waits") && sentence.contains("6 timeouts"), "{sentence}");
    let socket = connection("", "bytes_sent:9000000 bytes_retrans:2100000 data_segs_out:6200");
    let document = audit(&[KERNEL, SYSCTLS, ("ss", &socket)]);
    let sentence = found(&document, "socket-retransmissions")["sentence"].as_str().unwrap();
    assert!(sentence.contains("23%") && sentence.contains("of 6,200 segments"), "{sentence}");
}
