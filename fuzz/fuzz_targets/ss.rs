//! Any text as the output of `ss`, and as the files of `/proc/net`; what is written of the sockets reads the same again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tcpwhy_live::{proc_net, ss, tcp_info};

fuzz_target!(|bytes: &[u8]| {
    let whole: Vec<_> = tcp_info::decode(bytes).known().collect();
    let half = tcp_info::decode(&bytes[..bytes.len() / 2]);
    assert!(half.known().all(|field| whole.contains(&field)));
    let text = String::from_utf8_lossy(bytes);
    let _ = (proc_net::parse_counters(&text), proc_net::parse_sockstat(&text), proc_net::parse_tcp_protocol(&text));
    let sockets = ss::parse_sockets(&text);
    let again = ss::parse_sockets(&ss::write_sockets(&sockets));
    assert_eq!(again.len(), sockets.len());
    for (a, b) in again.iter().zip(&sockets) {
        assert_eq!((&a.local, &a.peer), (&b.local, &b.peer));
    }
});
