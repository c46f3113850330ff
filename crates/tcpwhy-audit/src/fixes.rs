//! Lines that change settings of the audited host or of its applications.

use tcpwhy_kernel::{Sysctl, SysctlValue, default_tcp_mem};
use tcpwhy_model::Program::{
    self, Apache, Envoy, Go, Haproxy, Iperf3, Java, Kafka, Nginx, OpenVpn, ProFtpd, Python, Samba,
};
use tcpwhy_model::host::SocketSample;
use tcpwhy_model::{Audience, Fix, FixLine, FixPlace, Remark};

use super::HostFacts;

/// A fix of the host's settings.
pub(super) fn host(id: &'static str, lines: Vec<FixLine>) -> Fix {
    Fix::new(id, FixPlace::Host, lines)
}

/// Advises deleting the call that sets the send buffer, with lines for the process's language.
pub(super) fn remove_so_sndbuf(process: &str) -> Fix {
    for_process(tcpwhy_advice::remove_so_sndbuf(), process)
}

/// Advises deleting the call that sets the receive buffer.
pub(super) fn remove_so_rcvbuf(process: &str) -> Fix {
    for_process(tcpwhy_advice::remove_so_rcvbuf(), process)
}

/// Advises a larger send buffer.
pub(super) fn raise_so_sndbuf(process: &str, bytes: u64) -> Fix {
    for_process(tcpwhy_advice::raise_so_sndbuf(bytes), process)
}

/// Advises a larger receive buffer, set before the connection is made.
pub(super) fn raise_so_rcvbuf(process: &str, bytes: u64) -> Fix {
    for_process(tcpwhy_advice::raise_so_rcvbuf(bytes), process)
}

/// Restores autotuning of a running connection's send buffer: sets `SO_BUF_LOCK` (72) to 0 through a copy of
/// the process's descriptor. `pidfd_getfd` is system call 438 everywhere but on Alpha. Measured: from 5.8 to
/// 135 MB/s within 0.2 s. The receive side would not change: its window scale is already negotiated.
pub(super) fn unlock_send_buffer(pid: u32, fd: u32) -> Fix {
    let line = FixLine::remarked(
        format!(
            "python3 -c 'import ctypes, os, socket; fd = ctypes.CDLL(None).syscall(438, os.pidfd_open({pid}), {fd}, 0); \
         socket.socket(fileno=fd).setsockopt(socket.SOL_SOCKET, 72, 0)'  # "
        ),
        "as-root-there-and-now-linux",
    );
    Fix::new("unlock-send-buffer", FixPlace::Application, vec![line])
}

/// Makes a bond send the packets of one flow over one of its interfaces. The name comes from a saved host and
/// may be anything. Lines to copy contain it only if a shell reads it unchanged.
pub(super) fn bond_by_flow(name: &str) -> Fix {
    /// `IFNAMSIZ` of Linux without the terminating zero.
    const LONGEST: usize = 15;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    let is_name = !name.is_empty() && name.len() <= LONGEST && name.chars().all(is_plain) && !name.starts_with('-');
    let name = if is_name { name } else { "BOND" };
    let lines = vec![
        FixLine::remarked(
            format!("ip link set {name} type bond mode 802.3ad xmit_hash_policy layer3+4  # "),
            "not-balance-rr",
        ),
        FixLine::remarked(format!("cat /proc/net/bonding/{name}  # "), "bond-mode-and-interfaces"),
    ];
    host("host-bond-by-flow", lines)
}

/// Advice for anything but a bond that spreads single packets, on this host or on the path.
pub(super) fn spread_by_flow() -> Fix {
    let mut fix = Fix { id: "spread-by-flow", ..tcpwhy_advice::stop_reordering() };
    fix.lines.retain(|line| !line.code.unfilled().contains("bond"));
    fix
}

/// Advises calling `accept()` sooner, and profiling the program to see why it does not.
pub(super) fn accept_faster(process: &str, pid: Option<u32>) -> Fix {
    let pid = pid.map_or_else(|| "PID".to_owned(), |pid| pid.to_string());
    let lines = vec![
        Java.line("while (true) pool.submit(new Handler(server.accept()));  // ", "java-thread-does-nothing-else"),
        Go.line("for { c, err := l.Accept(); go handle(c) }               // ", "go-nothing-slow-between-two-accept"),
        Python.line("gunicorn --workers 8 --threads 8 …                       # ", "python-more-workers"),
        Nginx.line("worker_processes auto; worker_connections 8192;          # ", "nginx"),
        Java.line(format!("jcmd {pid} Thread.print                       # "), "java-what-every-thread-waits-for"),
        Python.line(format!("py-spy dump --pid {pid}                       # "), "python"),
        FixLine::remarked(format!("gdb -p {pid} -batch -ex 'thread apply all bt'  # "), "any-process"),
    ];
    for_process(Fix::new("accept-faster", FixPlace::Application, lines), process)
}

/// Advises longer queues of new connections for `listener`, unless its queue is long already, and an
/// application that accepts sooner.
pub(super) fn lengthen_queue(facts: &HostFacts<'_>, listener: Option<&SocketSample>) -> Vec<Fix> {
    let holder = listener.and_then(|l| l.processes.first());
    let process = holder.map_or("", |p| p.name.as_str());
    let accept = accept_faster(process, holder.map(|p| p.pid));
    longer_queue(facts, listener).into_iter().chain([accept]).collect()
}

/// Advises longer queues of new connections for `listener`; `None` if its queue is long already.
pub(super) fn longer_queue(facts: &HostFacts<'_>, listener: Option<&SocketSample>) -> Option<Fix> {
    if listener.is_some_and(|l| l.send_queue >= LONG_BACKLOG) {
        return None;
    }
    let process = listener.and_then(|l| l.processes.first()).map_or("", |p| p.name.as_str());
    let mut longer = Fix { place: FixPlace::Host, ..tcpwhy_advice::raise_backlog() };
    if process.starts_with("nginx") {
        longer.lines.retain(|line| is_for_any(line, &[Nginx]));
    }
    let most = facts.sysctls.number(Sysctl::Somaxconn).and_then(|n| u64::try_from(n).ok());
    if most.is_some_and(|most| most >= LONG_BACKLOG) {
        // The setting already allows the application more than it requests.
        longer = Fix { id: "raise-asked-backlog", place: FixPlace::Application, ..longer };
        longer.lines.retain(|line| !line.code.unfilled().starts_with("sysctl"));
    }
    Some(longer)
}

/// The advised backlog ([`tcpwhy_advice::raise_backlog`], Linux's `SOMAXCONN` since 5.4). A queue of this
/// length is not too short.
const LONG_BACKLOG: u64 = 4096;

/// Names of processes, and the programs whose lines fit them.
const PROCESSES: [(&str, &[Program]); 13] = [
    ("java", &[Java, Kafka]),
    ("nginx", &[Nginx]),
    ("angie", &[Nginx]),
    ("python", &[Python]),
    ("haproxy", &[Haproxy]),
    ("apache2", &[Apache]),
    ("httpd", &[Apache]),
    ("smbd", &[Samba]),
    ("rsync", &[Samba]),
    ("envoy", &[Envoy]),
    ("openvpn", &[OpenVpn]),
    ("proftpd", &[ProFtpd]),
    ("iperf3", &[Iperf3]),
];

/// Whether the line is for one of these programs, or for every host.
fn is_for_any(line: &FixLine, programs: &[Program]) -> bool {
    line.audience == Audience::Host || programs.iter().any(|program| line.audience.includes(*program))
}

/// The fix at the application, with the lines for that process if there are any; lines with kernel settings
/// stay.
fn for_process(mut fix: Fix, process: &str) -> Fix {
    fix.place = FixPlace::Application;
    let known = PROCESSES.iter().find(|(name, _)| process.starts_with(name));
    let has_line = |programs: &[Program]| {
        fix.lines.iter().any(|line| programs.iter().any(|program| line.audience.includes(*program)))
    };
    if let Some((_, programs)) = known.filter(|(_, programs)| has_line(programs)) {
        fix.lines.retain(|line| is_for_any(line, programs));
    }
    fix
}

/// Sets `sysctl` now and after the next boot. A limit is at least the largest default of any kernel, because
/// the next boot may start another kernel.
pub(super) fn set_sysctl(id: &'static str, sysctl: Sysctl, value: SysctlValue, remark: impl Into<Remark>) -> Fix {
    let name = sysctl.name();
    let later = sysctl.advised(value.clone()).to_string().replace('\t', " ");
    host(
        id,
        vec![
            FixLine::remarked(format!("{}  # ", sysctl.command(value)), remark),
            FixLine::remarked(
                format!("echo \"{name} = {later}\" >> /etc/sysctl.d/90-tcp.conf  # "),
                "after-the-next-boot",
            ),
        ],
    )
}

/// Sets a switch to 1.
pub(super) fn switch_on(id: &'static str, sysctl: Sysctl, remark: &'static str) -> Fix {
    set_sysctl(id, sysctl, SysctlValue::Number(1), remark)
}

/// Sets `tcp_mem` to `pages`, or to its default on this host where that is more.
pub(super) fn set_tcp_mem(id: &'static str, facts: &HostFacts<'_>, pages: [u64; 3], remark: &'static str) -> Fix {
    let default = facts.host.memory.map(|memory| default_tcp_mem(memory, facts.page_size()));
    let pages = [0, 1, 2].map(|i| pages[i].max(default.map_or(0, |default| default[i])));
    set_sysctl(id, Sysctl::TcpMem, SysctlValue::Triple(pages), remark)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(fix: &Fix) -> String {
        fix.lines.iter().map(|line| line.code.unfilled().into_owned()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn lines_to_copy_have_no_name_that_a_shell_obeys() {
        let first = |name| codes(&bond_by_flow(name));
        assert!(first("bond0.7").starts_with("ip link set bond0.7 type bond"));
        for name in ["bond0;reboot", "a b", "", "-x", "$(x)", "a23456789012345678"] {
            assert!(first(name).starts_with("ip link set BOND type bond"), "{name}");
        }
    }

    /// Whichever kernel boots next reads the file of settings: neither line lowers its limits.
    #[test]
    fn no_limit_is_set_below_a_default_now_or_later() {
        let all = |pages: u64| {
            Sysctl::ALL.iter().filter(|sysctl| sysctl.is_limit()).map(move |&sysctl| {
                let value = match sysctl.largest_default() {
                    Some(SysctlValue::Number(_)) => SysctlValue::Number(i64::try_from(pages).unwrap()),
                    _ => SysctlValue::Triple([1, 2, pages]),
                };
                (sysctl, set_sysctl("host-raise", sysctl, value, "the-kernel-default"))
            })
        };
        for (sysctl, fix) in (0..=30).flat_map(|shift| all(1 << shift)) {
            let Some(floor) = sysctl.largest_default() else { continue };
            for line in &fix.lines {
                let mut printed = tcpwhy_kernel::Sysctls::new();
                let code = line.code.unfilled();
                let text = code.trim_start_matches("sysctl -w ").trim_start_matches("echo \"");
                let end = text.find(['#', '"']).unwrap();
                printed.assign(&text[..end].trim().replace('\'', "")).unwrap();
                let is_enough = match (printed.value(sysctl).unwrap(), &floor) {
                    (SysctlValue::Number(printed), SysctlValue::Number(floor)) => printed >= floor,
                    (SysctlValue::Triple(printed), SysctlValue::Triple(floor)) => {
                        printed.iter().zip(floor).all(|(printed, floor)| printed >= floor)
                    }
                    _ => false,
                };
                assert!(is_enough, "{}", line.code.unfilled());
            }
        }
    }

    #[test]
    fn lines_for_what_the_process_is() {
        let lines = |process: &str| codes(&remove_so_sndbuf(process));
        assert!(lines("nginx").contains("listen 443") && !lines("nginx").contains("socket.setSendBufferSize"));
        assert!(
            lines("java").contains("bootstrap.")
                && lines("java").contains("socket.send.buffer.bytes")
                && !lines("java").contains("listen 443")
        );
        assert!(lines("mysqld").contains("setsockopt(fd"));
        for (process, setting) in
            [("haproxy", "tune.sndbuf.client"), ("smbd", "socket options ="), ("apache2", "SendBufferSize")]
        {
            assert!(lines(process).starts_with(setting) && lines(process).lines().count() == 1, "{process}");
        }
        // There are no lines for this program's receive buffer, so all lines stay.
        assert_eq!(remove_so_rcvbuf("proftpd").lines.len(), remove_so_rcvbuf("").lines.len());
        assert!(
            raise_so_sndbuf("python3", 1 << 20)
                .lines
                .iter()
                .any(|l| l.code.unfilled().starts_with("sysctl -w net.core.wmem_max"))
        );
        for process in ["java", "nginx", "python3", "go", ""] {
            for fix in [remove_so_sndbuf(process), remove_so_rcvbuf(process), raise_so_rcvbuf(process, 1)] {
                assert!(!fix.lines.is_empty(), "{process} {}", fix.id);
                assert_eq!(fix.place, FixPlace::Application);
            }
        }
    }
}
