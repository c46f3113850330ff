//! Arbitrary text as the output of `ss`, and as the files of `/proc/net`. Sockets that are written must parse
//! the same again, including names, without invisible characters.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tcpwhy_live::{proc_net, ss, tcp_info};
use tcpwhy_model::foreign::is_hidden;
use tcpwhy_model::host::SocketSample;

/// All fields but the times, which are written with the precision of `ss`.
fn names_and_numbers(s: &SocketSample) -> impl PartialEq + std::fmt::Debug {
    let ends = (s.local.clone(), s.peer.clone(), s.state, s.receive_queue, s.send_queue);
    let names = (s.processes.clone(), s.congestion_control.clone(), s.other.clone());
    (ends, names, s.inode, s.cookie, s.user, s.timer, s.memory, s.locks)
}

fuzz_target!(|bytes: &[u8]| {
    let whole: Vec<_> = tcp_info::decode(bytes).known().collect();
    let half = tcp_info::decode(&bytes[..bytes.len() / 2]);
    assert!(half.known().all(|field| whole.contains(&field)));
    let text = String::from_utf8_lossy(bytes);
    let _ = (proc_net::parse_counters(&text), proc_net::parse_sockstat(&text), proc_net::parse_tcp_protocol(&text));
    let sockets = ss::parse_sockets(&text);
    let written = ss::write_sockets(&sockets);
    assert!(!written.contains(|c| c != '\n' && is_hidden(c)), "{written:?}");
    let again = ss::parse_sockets(&written);
    assert_eq!(again.len(), sockets.len());
    for (a, b) in again.iter().zip(&sockets) {
        assert_eq!(names_and_numbers(a), names_and_numbers(b));
    }
});
