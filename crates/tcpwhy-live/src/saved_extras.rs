//! Parts of a saved host that no other program prints; `tcpwhy audit --save` writes them. They are the ports
//! in `TIME-WAIT` per destination, the network bonds, and the threads of processes with a full accept queue.

use std::fmt::Write as _;

use tcpwhy_model::foreign::visible;
use tcpwhy_model::host::{Bond, BondMode, PortUse, ProcessThreads, SocketAddress, ThreadState};

/// First word of every line of ports.
pub(crate) const PORTS: &str = "time_wait_ports";
/// First word of every line of threads.
pub(crate) const THREADS: &str = "process_threads";
/// First word of the line of bonds, which is written even if the host has no bond.
pub(crate) const BONDS: &str = "network_bonds";
/// First words of the kernel's text about a bond in `/proc/net/bonding/NAME` (`bond_info_show_master`).
pub(crate) const BONDING_DRIVER: &str = "Ethernet Channel Bonding Driver";
/// Number of ports of one address.
const MOST_PORTS: u64 = 1 << 16;
/// Limit for lines that are read. It is far more than tcpwhy writes.
const MOST_LINES: usize = 10_000;

/// Writes lines such as `time_wait_ports 192.0.2.1 198.51.100.2 80 28231 512`: local address, destination,
/// ports, recent ports.
pub(crate) fn write_ports(uses: &[PortUse]) -> String {
    let mut text = String::new();
    for used in uses {
        if let (Some(local), Some(peer), Some(port)) = (used.local, used.peer.address, used.peer.port) {
            let _ = writeln!(text, "{PORTS} {local} {peer} {port} {} {}", used.ports, used.fresh);
        }
    }
    text
}

/// Reads lines of ports. Incomplete lines and lines with impossible numbers are skipped.
pub(crate) fn read_ports(text: &str) -> Vec<PortUse> {
    let read = |line: &str| {
        let mut words = line.strip_prefix(PORTS)?.split_ascii_whitespace();
        let local = Some(words.next()?.parse().ok()?);
        let address = Some(words.next()?.parse().ok()?);
        let port = Some(words.next()?.parse().ok()?);
        let (ports, fresh) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        (fresh <= ports && ports <= MOST_PORTS).then_some(PortUse {
            local,
            peer: SocketAddress { address, zone: None, port },
            ports,
            fresh,
        })
    };
    text.lines().filter_map(read).take(MOST_LINES).collect()
}

/// Writes lines such as `process_threads 4127 running=1 lock=7`.
pub(crate) fn write_threads(processes: &[ProcessThreads]) -> String {
    let mut text = String::new();
    for process in processes {
        let _ = write!(text, "{THREADS} {}", process.pid);
        for (state, count) in &process.states {
            let _ = write!(text, " {}={count}", state.id());
        }
        text.push('\n');
    }
    text
}

/// Reads lines of threads. Unknown states are skipped.
pub(crate) fn read_threads(text: &str) -> Vec<ProcessThreads> {
    let read = |line: &str| {
        let mut words = line.strip_prefix(THREADS)?.split_ascii_whitespace();
        let pid = words.next()?.parse().ok()?;
        let state = |word: &str| {
            let (state, count) = word.split_once('=')?;
            Some((ThreadState::from_id(state)?, count.parse().ok()?))
        };
        Some(ProcessThreads { pid, states: words.filter_map(state).take(ThreadState::ALL.len()).collect() })
    };
    text.lines().filter_map(read).take(MOST_LINES).collect()
}

/// Writes a line such as `network_bonds bond0=balance-rr bond1=`. An unknown mode is left empty.
pub(crate) fn write_bonds(bonds: &[Bond]) -> String {
    let mut text = String::from(BONDS);
    for bond in bonds {
        let _ = write!(text, " {}={}", visible(&bond.name), bond.mode.map_or("", BondMode::id));
    }
    text.push('\n');
    text
}

/// Reads the line of bonds. Words that do not describe a bond are skipped.
pub(crate) fn read_bonds(text: &str) -> Vec<Bond> {
    let words = text.lines().next().and_then(|line| line.strip_prefix(BONDS)).unwrap_or_default();
    let read = |word: &str| {
        let (name, mode) = word.rsplit_once('=')?;
        Some(Bond { name: name.to_owned(), mode: BondMode::from_id(mode) })
    };
    words.split_ascii_whitespace().filter_map(read).take(MOST_LINES).collect()
}

/// A bond in the format of the kernel.
pub(crate) fn kernels_bond(name: &str, text: &str) -> Bond {
    let title = text.lines().find_map(|line| line.strip_prefix("Bonding Mode:"));
    Bond { name: name.to_owned(), mode: title.and_then(|title| BondMode::from_title(title.trim())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bonds_of_a_saved_host_and_of_the_kernel() {
        let text = "Ethernet Channel Bonding Driver: v6.12.117\n\nBonding Mode: load balancing (round-robin)\nMII Status: up\n";
        let bonds = vec![kernels_bond("bond7", text), kernels_bond("b", "nothing")];
        assert_eq!(bonds[0].mode, Some(BondMode::RoundRobin));
        assert_eq!(bonds[1].mode, None);
        assert_eq!(read_bonds(&write_bonds(&bonds)), bonds);
        assert_eq!(read_bonds(&write_bonds(&[])), []);
    }

    #[test]
    fn what_is_written_is_read() {
        let peer = SocketAddress { address: "2001:db8::2".parse().ok(), zone: None, port: Some(80) };
        let ports = vec![PortUse { local: "2001:db8::1".parse().ok(), peer, ports: 28_231, fresh: 512 }];
        assert_eq!(read_ports(&write_ports(&ports)), ports);
        let threads = vec![
            ProcessThreads { pid: 7, states: vec![(ThreadState::Running, 1), (ThreadState::Lock, 7)] },
            ProcessThreads { pid: 8, states: vec![] },
        ];
        assert_eq!(read_threads(&write_threads(&threads)), threads);
        for bad in [
            "time_wait_ports",
            "time_wait_ports x y z 1 2",
            "time_wait_ports 1.2.3.4 1.2.3.4 80 1",
            "time_wait_ports 1.2.3.4 1.2.3.4 80 18446744073709551615 1",
            "time_wait_ports 1.2.3.4 1.2.3.4 80 1 2",
        ] {
            assert_eq!(read_ports(bad), [], "{bad}");
        }
        assert_eq!(read_threads("process_threads 1 nonsense=3 lock=x lock=2")[0].states, [(ThreadState::Lock, 2)]);
    }
}
