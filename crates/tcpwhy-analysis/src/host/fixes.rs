//! The lines to change on a host that was looked at.

use tcpwhy_model::{Fix, FixPlace};

use crate::diagnosis::advice;

/// A fix of the host's settings.
pub(super) fn host(id: &'static str, lines: Vec<String>) -> Fix {
    Fix { id, place: FixPlace::Host, lines: lines.into_iter().map(Into::into).collect() }
}

/// Delete the call that sets the send buffer, in the words of what the process is.
pub(super) fn remove_so_sndbuf(process: &str) -> Fix {
    for_process(advice::remove_so_sndbuf(), process)
}

/// Delete the call that sets the receive buffer.
pub(super) fn remove_so_rcvbuf(process: &str) -> Fix {
    for_process(advice::remove_so_rcvbuf(), process)
}

/// Set a larger send buffer.
pub(super) fn raise_so_sndbuf(process: &str, bytes: u64) -> Fix {
    for_process(advice::raise_so_sndbuf(bytes), process)
}

/// Set a larger receive buffer, in time.
pub(super) fn raise_so_rcvbuf(process: &str, bytes: u64) -> Fix {
    for_process(advice::raise_so_rcvbuf(bytes), process)
}

/// Give a running connection its autotuning back: `SO_BUF_LOCK` (72) set to 0 through a copy of the process's descriptor
/// (`pidfd_getfd` is system call 438 everywhere but on Alpha). Measured: 5.8 to 135 MB/s within 0.2 s. The receive side
/// would stay as it is: its window scale is agreed.
pub(super) fn unlock_send_buffer(pid: u32, fd: u32) -> Fix {
    let line = format!(
        "python3 -c 'import ctypes, os, socket; fd = ctypes.CDLL(None).syscall(438, os.pidfd_open({pid}), {fd}, 0); \
         socket.socket(fileno=fd).setsockopt(socket.SOL_SOCKET, 72, 0)'  # as root, there and now; Linux 5.15, Python 3.9"
    );
    Fix { id: "unlock-send-buffer", place: FixPlace::Application, lines: vec![line.into()] }
}

/// Names of processes, and what the lines that are meant for them speak of.
const PROCESSES: [(&str, &[&str]); 4] = [
    ("java", &["Java", "Netty", "Kafka", "JDBC", "Connector/J"]),
    ("nginx", &["nginx"]),
    ("angie", &["nginx"]),
    ("python", &["Python"]),
];

/// At the application, with the lines for that process where it is known what it is written in; settings of the kernel stay.
fn for_process(mut fix: Fix, process: &str) -> Fix {
    fix.place = FixPlace::Application;
    if let Some((_, marks)) = PROCESSES.iter().find(|(name, _)| process.starts_with(name)) {
        fix.lines.retain(|line| line.starts_with("sysctl") || marks.iter().any(|mark| line.contains(mark)));
    }
    fix
}

/// Let autotuning or requests reach further: the setting, now and after the next boot.
pub(super) fn set_sysctl(id: &'static str, name: &str, value: &str, remark: &str) -> Fix {
    host(
        id,
        vec![
            format!("sysctl -w {name}='{value}'  # {remark}"),
            format!("echo \"{name} = {value}\" >> /etc/sysctl.d/90-tcp.conf  # after the next boot"),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_for_what_the_process_is() {
        let lines = |process: &str| remove_so_sndbuf(process).lines.join("\n");
        assert!(lines("nginx").contains("listen 443") && !lines("nginx").contains("Java"));
        assert!(lines("java").contains("Netty") && lines("java").contains("Kafka") && !lines("java").contains("nginx"));
        assert!(lines("mysqld").contains("setsockopt(fd"));
        assert!(raise_so_sndbuf("python3", 1 << 20).lines.iter().any(|l| l.starts_with("sysctl -w net.core.wmem_max")));
        for process in ["java", "nginx", "python3", "go", ""] {
            for fix in [remove_so_sndbuf(process), remove_so_rcvbuf(process), raise_so_rcvbuf(process, 1)] {
                assert!(!fix.lines.is_empty(), "{process} {}", fix.id);
                assert_eq!(fix.place, FixPlace::Application);
            }
        }
    }
}
