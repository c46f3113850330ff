//! This host's kernel has a known fault, and a socket or counter shows it.
//!
//! Source: `tcpwhy_kernel::Regression`, with the commits. The version alone proves nothing: distributions
//! carry fixes under old numbers.

use tcpwhy_kernel::{KernelVersion, Pattern, Regression, Sysctl, SysctlValue, regressions_of};
use tcpwhy_model::host::SocketSample;
use tcpwhy_model::{EvidenceKey, Finding, Fix, FixLine, Remark, Severity};

use crate::check::finding;
use crate::evidence::{derived, process, reported, word};
use crate::lock_ground::lock_ground;
use crate::reached::is_local;
use crate::{BufferSide, Check, HostFacts, fixes};

pub(super) static CHECK: Check =
    Check { id: "kernel-regression", severity: Severity::Warning, needs: crate::needs::KERNEL, detect };

/// Windows of data after which the present window shows how large it gets.
const MANY_WINDOWS: u64 = 64;
/// An MSS above this belongs to jumbo frames: MTU 2,000 less the headers of IPv4 and TCP.
const JUMBO_MSS: u64 = 1960;
/// Segments to which the kernel reduces `rcv_ssthresh` if a buffer seems full (`tcp_clamp_window`,
/// `tcp_prune_queue`).
const FEW_SEGMENTS: u64 = 4;
/// Share of a buffer below which the window counts as a quarter. Before 697a6c8cec03 the window was 65/256 of
/// the buffer, since then 128/256.
const QUARTER: f64 = 0.3;
/// Share of a window that counts as the whole window: the kernel rounds to segments.
const WHOLE_WINDOW: f64 = 0.7;
/// Time for which data was not read, ms, that shows a reader without notice of the data. Chosen: a program
/// that is merely late reads sooner.
const UNREAD_MILLIS: u64 = 1000;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let Some(version) = facts.version else { return vec![] };
    regressions_of(version).filter_map(|regression| one(facts, version, regression)).collect()
}

fn one(facts: &HostFacts<'_>, version: KernelVersion, regression: &Regression) -> Option<Finding> {
    let counter = match regression.pattern {
        Pattern::SplitsRefused => Some((EvidenceKey::RefusedCount, "TCPWqueueTooBig")),
        Pattern::SegmentsRefused => Some((EvidenceKey::ReceivedDroppedCount, "TCPRcvQDrop")),
        _ => None,
    };
    let counted = counter.and_then(|counter| facts.tally(&[counter]));
    let socket = match counter {
        Some(_) => None,
        None => Some(facts.connections().find(|socket| shows(facts, socket, regression.pattern))?),
    };
    let (severity, counted) = match (socket, counted) {
        (Some(_), _) => (Severity::Warning, vec![]),
        (None, Some(tally)) => (tally.severity(Severity::Warning, 1.0), tally.evidence),
        (None, None) => return None,
    };
    let mut finding = finding(&CHECK, severity, 0.8);
    finding.evidence = socket.and_then(|s| process(&s.processes)).into_iter().collect();
    finding.evidence.extend([
        reported(EvidenceKey::Kernel, word(version.to_string())),
        derived(EvidenceKey::Fault, word(regression.id)),
        derived(EvidenceKey::Commit, word(regression.introduced)),
    ]);
    if let Some(socket) = socket {
        let window = window_of(socket);
        finding.evidence.push(reported(EvidenceKey::Socket, word(format!("{} → {}", socket.local, socket.peer))));
        finding.evidence.extend(window.map(|bytes| reported(EvidenceKey::WindowBytes, bytes)));
        finding.evidence.extend(socket.memory.receive_buffer.map(|b| reported(EvidenceKey::BufferBytes, b)));
    }
    finding.evidence.extend(counted);
    finding.fixes = vec![update(version, regression)];
    finding.fixes.extend(workaround(facts, regression.pattern, socket));
    Some(finding)
}

/// The window that this end offers, or may grow to (`tcpi_rcv_wnd` exists since Linux 6.2).
fn window_of(socket: &SocketSample) -> Option<u64> {
    socket.info.rcv_wnd.max(socket.info.rcv_ssthresh).filter(|&window| window > 0)
}

/// Whether a socket shows the pattern of a fault on the receive side.
fn shows(facts: &HostFacts<'_>, socket: &SocketSample, pattern: Pattern) -> bool {
    if pattern == Pattern::UnreadInSockmap {
        return facts.host.has_sockmap == Some(true) && is_left_unread(socket);
    }
    let info = &socket.info;
    let (Some(window), Some(buffer), Some(received)) =
        (window_of(socket), socket.memory.receive_buffer, info.bytes_received)
    else {
        return false;
    };
    if is_local(socket) || received < window.saturating_mul(MANY_WINDOWS) {
        return false;
    }
    let Some([_, first, most]) = facts.triple(Sysctl::TcpRmem) else { return false };
    let is_set = lock_ground(facts, socket, BufferSide::Receive, buffer).is_some();
    // A buffer with unread data may offer a small window for that reason.
    let is_read = socket.memory.receive_allocated.is_none_or(|used| used < buffer / 8);
    let mss = info.advmss.unwrap_or(0);
    let read = info.rcv_space.unwrap_or(0);
    match pattern {
        // Growth requires that more than `rcv_space` is read per round trip, which a window of `rcv_ssthresh`
        // prevents.
        Pattern::JumboWindowStuck => {
            let may_grow_to = info.rcv_ssthresh.unwrap_or(window);
            !is_set && is_read && mss > JUMBO_MSS && buffer <= first && read >= may_grow_to
        }
        // Memory pressure has the same symptom (`tcp_under_memory_pressure`).
        Pattern::SlowReaderStuck => {
            let is_pressed = facts.ext("TCPMemoryPressures") > 0;
            !is_set && !is_pressed && mss > 0 && window <= FEW_SEGMENTS * mss && buffer >= first
        }
        Pattern::QuarterOfBuffer => is_set && is_read && (window as f64) <= QUARTER * buffer as f64,
        Pattern::AutotuningSlow => {
            let reads_whole_windows = read as f64 >= WHOLE_WINDOW * window as f64;
            !is_set && is_read && reads_whole_windows && buffer < most / 2
        }
        Pattern::SplitsRefused | Pattern::SegmentsRefused | Pattern::UnreadInSockmap => false,
    }
}

/// Whether the receive queue contains data although the last segment came a while ago.
fn is_left_unread(socket: &SocketSample) -> bool {
    socket.receive_queue > 0 && socket.info.last_data_recv.is_some_and(|silence| silence >= UNREAD_MILLIS)
}

/// Advises another kernel: the release of its series that has the fix, or any later series.
fn update(version: KernelVersion, regression: &Regression) -> Fix {
    let remark = match (regression.fixed_release(version), regression.fix) {
        (Some(release), Some(commit)) => {
            Remark::new("kernel-release-with-fix").with("version", &release).with("commit", &commit)
        }
        (None, Some(commit)) => Remark::new("kernel-later-series-with-fix").with("commit", &commit),
        (_, None) => Remark::new("kernel-revert").with("commit", &regression.introduced),
    };
    fixes::host("update-kernel", vec![FixLine::remarked("uname -r  # ", remark)])
}

/// A workaround until the kernel is updated.
fn workaround(facts: &HostFacts<'_>, pattern: Pattern, socket: Option<&SocketSample>) -> Option<Fix> {
    let holder = socket.and_then(|s| s.processes.first()).map_or("", |p| p.name.as_str());
    match pattern {
        // The advice of 72d05c00d7ec for hosts that must keep their kernel.
        Pattern::JumboWindowStuck => {
            let [least, _, most] = facts.triple(Sysctl::TcpRmem)?;
            let value = SysctlValue::Triple([least, LARGER_START, most]);
            Some(fixes::set_sysctl("host-raise-tcp-rmem-start", Sysctl::TcpRmem, value, "until-kernel-is-updated"))
        }
        // A buffer with room for two of the largest segments refuses none (026dfef287c0).
        Pattern::SegmentsRefused => {
            let [least, start, most] = facts.triple(Sysctl::TcpRmem)?;
            let value = SysctlValue::Triple([least, start.max(ROOM_FOR_SEGMENTS), most.max(ROOM_FOR_SEGMENTS)]);
            Some(fixes::set_sysctl("host-raise-tcp-rmem-start", Sysctl::TcpRmem, value, "until-kernel-is-updated"))
        }
        Pattern::UnreadInSockmap => Some(fixes::host(
            "find-sockmap",
            vec![FixLine::remarked(
                "bpftool map list | grep -E 'sockmap|sockhash'; bpftool prog list  # ",
                Remark::new("whose-sockmap"),
            )],
        )),
        Pattern::SplitsRefused => Some(fixes::remove_so_sndbuf(holder)),
        Pattern::QuarterOfBuffer => Some(fixes::remove_so_rcvbuf(holder)),
        Pattern::SlowReaderStuck | Pattern::AutotuningSlow => None,
    }
}

/// Second value of `tcp_rmem`, bytes, that has room for the initial window of jumbo frames (72d05c00d7ec).
const LARGER_START: u64 = 196_608;
/// Second value of `tcp_rmem`, bytes, that has room for several segments of 64 kB with the kernel's overhead.
const ROOM_FOR_SEGMENTS: u64 = 524_288;

#[cfg(test)]
mod tests {
    use tcpwhy_model::host::BufferLocks;

    use super::*;
    use crate::testing::{Host, connection, lines};

    const WITH_FIX: &str = "kernel-release-with-fix";

    /// The socket of 72d05c00d7ec: `skmem:(r0,rb131072,…) rcv_space:62496 rcv_ssthresh:56596`.
    fn stuck() -> SocketSample {
        let mut socket = connection();
        socket.info.advmss = Some(8948);
        socket.info.rcv_space = Some(62_496);
        socket.info.rcv_ssthresh = Some(56_596);
        socket.info.bytes_received = Some(100_000_000);
        socket.memory.receive_allocated = Some(0);
        socket
    }

    #[test]
    fn a_window_that_never_grows() {
        let on = |version: &str, socket: SocketSample| {
            Host::with_defaults(version).sysctl("net.ipv4.tcp_rmem=4096 131072 6291456").socket(socket)
        };
        let finding = on("4.19.100", stuck()).fires(CHECK.id);
        let text = lines(&finding);
        assert!(text.contains("tcp_rmem='4096 196608 33554432'") && text.contains("uname -r"), "{text}");
        assert_eq!(finding.evidence[1].value, word("4.19.100"));
        assert_eq!(finding.fixes[0].lines[0].remark.as_ref().unwrap().id, WITH_FIX);
        for version in ["4.19.85", "4.19.164", "5.10.5", "6.12"] {
            on(version, stuck()).is_silent(CHECK.id);
        }
        let later = on("5.8.3", stuck()).fires(CHECK.id);
        assert_eq!(later.fixes[0].lines[0].remark.as_ref().unwrap().id, "kernel-later-series-with-fix");
    }

    /// A version without a symptom is not reported.
    #[test]
    fn a_socket_must_show_it() {
        type Change = fn(&mut SocketSample);
        let changes: [Change; 6] = [
            |s| s.info.advmss = Some(1448),
            |s| s.info.rcv_space = Some(30_000),
            |s| s.memory.receive_buffer = Some(1_000_000),
            |s| s.info.bytes_received = Some(1_000_000),
            |s| s.locks = Some(BufferLocks { send: false, receive: true }),
            |s| s.peer.address = s.local.address,
        ];
        for (i, change) in changes.into_iter().enumerate() {
            let mut socket = stuck();
            change(&mut socket);
            let host = Host::with_defaults("4.19.100").sysctl("net.ipv4.tcp_rmem=4096 131072 6291456");
            assert_eq!(host.socket(socket).findings(CHECK.id), [], "{i}");
        }
        Host::with_defaults("4.19.100").is_silent(CHECK.id);
        let mut unknown = Host::with_defaults("4.19.100").socket(stuck());
        unknown.version = None;
        unknown.is_silent(CHECK.id);
    }

    #[test]
    fn splits_that_are_refused() {
        let host = |version: &str, n| Host::with_defaults(version).counter("TCPWqueueTooBig", n);
        let finding = host("4.19.55", 900).fires(CHECK.id);
        assert!(finding.evidence.iter().any(|e| e.value == word("send-queue-too-strict")), "{finding:?}");
        host("4.19.62", 900).is_silent(CHECK.id);
        host("4.19.55", 0).is_silent(CHECK.id);
    }

    #[test]
    fn segments_that_are_refused() {
        let host = |version: &str, n| Host::with_defaults(version).counter("TCPRcvQDrop", n);
        let finding = host("6.17.8", 900).fires(CHECK.id);
        assert!(finding.evidence.iter().any(|e| e.value == word("segments-in-window-dropped")), "{finding:?}");
        assert!(lines(&finding).contains("tcp_rmem='4096 524288"), "{finding:?}");
        assert_eq!(host("6.18.16", 900).fires(CHECK.id).fixes[0].lines[0].remark.as_ref().unwrap().id, WITH_FIX);
        host("6.18.17", 900).is_silent(CHECK.id);
        host("6.16.12", 900).is_silent(CHECK.id);
        host("6.18.5", 0).is_silent(CHECK.id);
    }

    /// FIONREAD gave 0 of 1,000 bytes for a socket in a sockhash on 6.12.85, and 1,000 on 6.12.74.
    #[test]
    fn data_that_a_sockmap_hides() {
        let host = |version: &str, has_sockmap, queue, silence| {
            let mut socket = connection();
            socket.receive_queue = queue;
            socket.info.last_data_recv = Some(silence);
            let mut host = Host::with_defaults(version).socket(socket);
            host.observation.has_sockmap = has_sockmap;
            host
        };
        let finding = host("6.12.85", Some(true), 1000, 5000).fires(CHECK.id);
        assert!(lines(&finding).contains("bpftool map list"), "{finding:?}");
        for (version, has_sockmap, queue, silence) in [
            ("6.12.74", Some(true), 1000, 5000),
            ("6.12.85", Some(false), 1000, 5000),
            ("6.12.85", None, 1000, 5000),
            ("6.12.85", Some(true), 0, 5000),
            ("6.12.85", Some(true), 1000, 10),
        ] {
            host(version, has_sockmap, queue, silence).is_silent(CHECK.id);
        }
    }

    /// `SO_RCVBUF` of 1 MiB gives a buffer of 2 MiB: 65/256 of it are window on 6.6.0, 128/256 on 6.6.33.
    #[test]
    fn a_quarter_of_the_buffer() {
        let host = |version: &str, window| {
            let mut socket = connection();
            socket.locks = Some(BufferLocks { send: false, receive: true });
            socket.memory.receive_buffer = Some(2_097_152);
            socket.memory.receive_allocated = Some(0);
            socket.info.rcv_wnd = Some(window);
            socket.info.bytes_received = Some(1_000_000_000);
            Host::with_defaults(version).socket(socket)
        };
        assert_eq!(host("6.6.10", 532_480).findings(CHECK.id).len(), 1);
        host("6.6.10", 1_048_576).is_silent(CHECK.id);
        host("6.6.33", 532_480).is_silent(CHECK.id);
    }

    #[test]
    fn a_window_of_a_few_segments_behind_a_slow_reader() {
        let host = |version: &str, threshold| {
            let mut socket = connection();
            socket.info.rcv_ssthresh = Some(threshold);
            socket.info.bytes_received = Some(10_000_000);
            Host::with_defaults(version).sysctl("net.ipv4.tcp_rmem=4096 87380 6291456").socket(socket)
        };
        host("4.14.48", 2896).fires(CHECK.id);
        host("4.14.48", 60_000).is_silent(CHECK.id);
        host("4.14.48", 2896).counter("TCPMemoryPressures", 1).is_silent(CHECK.id);
        host("4.14.131", 2896).is_silent(CHECK.id);
    }

    #[test]
    fn a_buffer_that_grows_too_slowly() {
        let host = |version: &str, read| {
            let mut socket = connection();
            socket.info.rcv_wnd = Some(400_000);
            socket.info.rcv_space = Some(read);
            socket.info.bytes_received = Some(1_000_000_000);
            socket.memory.receive_buffer = Some(650_000);
            socket.memory.receive_allocated = Some(0);
            Host::with_defaults(version).socket(socket)
        };
        host("6.17.2", 390_000).fires(CHECK.id);
        host("6.17.2", 100_000).is_silent(CHECK.id);
        host("6.18", 390_000).is_silent(CHECK.id);
    }
}
