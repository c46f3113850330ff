//! Sampler for the sockets of foreign programs, through `sock_diag` in their namespace.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use tcpwhy_model::host::{SocketSample, TcpState};

use super::sample::{Sample, WIDE, interval};
use super::{SocketState, WriterWatch};
use crate::wall;
use tcpwhy_scenario::{End, Service};

/// Samples the connections of `service` until `stop`, and returns the samples of the connection that moved
/// the most bytes. It must run on a thread in the namespace of `end`.
pub(super) fn run(end: End, service: Service, mut writers: Option<WriterWatch>, stop: &AtomicBool) -> Vec<Sample> {
    wall::sleep_precisely();
    let mut connections: HashMap<Option<u64>, Vec<Sample>> = HashMap::new();
    let mut first_seen = None;
    let mut due = Instant::now();
    while !stop.load(Ordering::Relaxed) {
        let time = wall::now();
        // After an error there is no sample now; the next request may succeed. Missing samples are never
        // guessed.
        let sockets = tcpwhy_live::tcp_sockets().unwrap_or_default();
        let waiting = writers.as_mut().map(WriterWatch::look).unwrap_or_default();
        let took = wall::now().since(time).max(0).cast_unsigned();
        for socket in sockets.iter().filter(|socket| is_ours(socket, end, service)) {
            first_seen.get_or_insert_with(Instant::now);
            let mut sample = Sample { time, took, socket: state(socket), ..Sample::default() };
            if let Some(seen) = socket.cookie.and_then(|cookie| waiting.get(&cookie)) {
                seen.apply(&mut sample);
            }
            connections.entry(socket.cookie).or_default().push(sample);
        }
        due += first_seen.map_or(WIDE, |first: Instant| interval(first.elapsed()));
        due = due.max(Instant::now());
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
    }
    connections.into_values().max_by_key(|samples| samples.last().map_or(0, moved)).unwrap_or_default()
}

fn is_ours(socket: &SocketSample, end: End, service: Service) -> bool {
    let server = if end == service.end { &socket.local } else { &socket.peer };
    server.port == Some(service.port)
        && !matches!(socket.state, Some(TcpState::Listen | TcpState::SynSent | TcpState::SynReceived))
}

/// Bytes moved in both directions.
fn moved(sample: &Sample) -> u64 {
    let info = &sample.socket.info;
    info.bytes_acked.unwrap_or_default() + info.bytes_received.unwrap_or_default()
}

fn state(socket: &SocketSample) -> SocketState {
    SocketState {
        state: socket.state.map(TcpState::number),
        outq: Some(socket.send_queue),
        unsent: socket.info.notsent_bytes,
        inq: Some(socket.receive_queue),
        memory: socket.memory,
        info: socket.info,
    }
}
