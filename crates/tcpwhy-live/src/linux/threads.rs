//! The activity of the threads of a process: `/proc/PID/task/TID/{stat,syscall}`.

use std::fs;
use std::path::Path;

use tcpwhy_model::host::{ProcessRef, ProcessThreads, SocketSample, TcpState, ThreadState};

/// Limit for the threads read per process; the first ones are a sufficient sample.
const MOST_THREADS: usize = 4096;

/// The threads of every process with a listener whose accept queue is full.
pub(super) fn of_full_listeners(sockets: &[SocketSample]) -> Vec<ProcessThreads> {
    let is_full =
        |s: &&SocketSample| s.state == Some(TcpState::Listen) && s.receive_queue > 0 && s.receive_queue >= s.send_queue;
    let holders =
        sockets.iter().filter(is_full).flat_map(|s: &SocketSample| s.processes.iter().map(|p: &ProcessRef| p.pid));
    let mut pids: Vec<u32> = holders.collect();
    pids.sort_unstable();
    pids.dedup();
    pids.into_iter().filter_map(threads).collect()
}

fn threads(pid: u32) -> Option<ProcessThreads> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    let mut states: Vec<(ThreadState, u64)> = Vec::new();
    for task in tasks.filter_map(Result::ok).take(MOST_THREADS) {
        let Some(state) = state(&task.path()) else { continue };
        match states.iter_mut().find(|(of, _)| *of == state) {
            Some((_, count)) => *count += 1,
            None => states.push((state, 1)),
        }
    }
    states.sort_unstable();
    (!states.is_empty()).then_some(ProcessThreads { pid, states })
}

/// The state of a thread; `None` if it has ended.
fn state(task: &Path) -> Option<ThreadState> {
    letter(&fs::read(task.join("stat")).ok()?).and_then(|letter| of_letter(letter, task))
}

/// The letter of the state. The name before it may contain anything, including brackets, blanks and invalid
/// UTF-8.
fn letter(stat: &[u8]) -> Option<u8> {
    let name_end = stat.iter().rposition(|&b| b == b')')?;
    stat.get(name_end + 2).copied()
}

fn of_letter(letter: u8, task: &Path) -> Option<ThreadState> {
    Some(match letter {
        b'R' => ThreadState::Running,
        b'T' | b't' => ThreadState::Stopped,
        b'D' => ThreadState::Device,
        b'Z' | b'X' => return None,
        _ => fs::read_to_string(task.join("syscall")).map_or(ThreadState::Other, |text| of_syscall(&text)),
    })
}

/// Parses `232 0x4 …`: the number of the system call and its arguments, or `running` outside of system calls.
fn of_syscall(text: &str) -> ThreadState {
    let Some(number) = text.split_ascii_whitespace().next().and_then(|n| n.parse::<libc::c_long>().ok()) else {
        return ThreadState::Other;
    };
    match number {
        libc::SYS_accept | libc::SYS_accept4 => ThreadState::Accepting,
        libc::SYS_epoll_pwait | libc::SYS_epoll_pwait2 | libc::SYS_ppoll | libc::SYS_pselect6 => ThreadState::Polling,
        libc::SYS_futex => ThreadState::Lock,
        libc::SYS_nanosleep | libc::SYS_clock_nanosleep => ThreadState::Sleeping,
        libc::SYS_read
        | libc::SYS_readv
        | libc::SYS_recvfrom
        | libc::SYS_recvmsg
        | libc::SYS_write
        | libc::SYS_writev
        | libc::SYS_sendto
        | libc::SYS_sendmsg
        | libc::SYS_pread64
        | libc::SYS_pwrite64
        | libc::SYS_fsync
        | libc::SYS_fdatasync => ThreadState::Transfer,
        // Newer architectures have only the system calls above.
        #[cfg(target_arch = "x86_64")]
        libc::SYS_epoll_wait | libc::SYS_poll | libc::SYS_select => ThreadState::Polling,
        _ => ThreadState::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_calls() {
        let of = |number: libc::c_long| of_syscall(&format!("{number} 0x3 0x0 0x0 0x0 0x0 0x0 0x7ffd 0x7f01\n"));
        assert_eq!(of(libc::SYS_accept4), ThreadState::Accepting);
        assert_eq!(of(libc::SYS_clock_nanosleep), ThreadState::Sleeping);
        assert_eq!(of(libc::SYS_epoll_pwait), ThreadState::Polling);
        assert_eq!((of_syscall("running"), of_syscall("")), (ThreadState::Other, ThreadState::Other));
    }

    #[test]
    fn letters() {
        assert_eq!(letter(b"7 (a) S (b)) R 1 7"), Some(b'R'));
        assert_eq!(letter(b"7 (\xff\n) D 1 7"), Some(b'D'));
        assert_eq!((letter(b"7 (a)"), letter(b"")), (None, None));
    }

    #[test]
    fn a_thread_that_sleeps() {
        let (send, receive) = std::sync::mpsc::channel::<()>();
        let sleeper = std::thread::spawn(move || receive.recv());
        // Wait until the thread blocks.
        let mut is_seen = false;
        for _ in 0..200 {
            let found = threads(std::process::id()).expect("this process has threads");
            assert!(found.states.iter().all(|(_, count)| *count > 0));
            is_seen = found.states.iter().any(|(state, _)| *state == ThreadState::Lock);
            if is_seen {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        drop(send);
        assert!(sleeper.join().is_ok_and(|end| end.is_err()));
        assert!(is_seen, "a thread that waits for a channel waits for a lock");
    }
}
