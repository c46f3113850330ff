//! Each term of how the time of a connection is divided, counted and reported. A test fails if one is
//! dropped, or if its boundary moves.

mod accounted;
mod observe;
mod passed;
mod rates;
mod reader;
mod rest;
mod sampled;

use tcpwhy_model::host::{SocketSample, TcpState};
use tcpwhy_model::live::{HeldBy, KernelAccount, KernelSample, KernelTurns, Opened, SocketKey};
use tcpwhy_model::{Cause, Detail, Limit, LimitTimeline, Timestamp};

use super::LiveConnection;
use crate::baseline::Baseline;
use crate::direction::{Part, Retention};
use crate::hypotheses::Held;
use crate::instant::InstantLimit;

const MILLISECOND: i64 = 1_000_000;

const BUFFER: Cause = Cause::plain(Limit::SendBuffer);
const WINDOW: Cause = Cause::plain(Limit::ReceiveWindow);
const UNSEEN: Cause = Cause::plain(Limit::Unobserved);

/// What a case changes.
type Change = fn(&mut SocketSample);

/// An established socket at rest: segments of 1000 bytes, a round trip of 20 ms, no byte in either direction.
fn sample(millis: i64, change: impl FnOnce(&mut SocketSample)) -> KernelSample {
    let mut s = SocketSample { state: Some(TcpState::Established), ..SocketSample::default() };
    (s.local.port, s.peer.port) = (Some(50_000), Some(80));
    let info = &mut s.info;
    (info.ca_state, info.snd_mss, info.snd_cwnd, info.unacked) = (Some(0), Some(1000), Some(20), Some(0));
    (info.sacked, info.lost, info.retrans, info.snd_wnd) = (Some(0), Some(0), Some(0), Some(1_000_000));
    (info.notsent_bytes, info.snd_ssthresh, info.snd_wscale) = (Some(0), Some(10), Some(7));
    (info.rtt, info.min_rtt, info.total_retrans) = (Some(20_000), Some(20_000), Some(0));
    (info.bytes_acked, info.bytes_received) = (Some(0), Some(0));
    change(&mut s);
    KernelSample { time: Timestamp::from_nanos(millis * MILLISECOND), key: SocketKey::default(), socket: s }
}

/// The send buffer is full, with ten segments in flight.
fn full(s: &mut SocketSample) {
    (s.send_queue, s.info.unacked) = (10_000, Some(10));
    (s.memory.send_queued, s.memory.send_buffer) = (Some(30_000), Some(32_000));
}

/// The congestion window is full, with 20 segments in flight.
fn window_full(s: &mut SocketSample) {
    (s.send_queue, s.info.notsent_bytes, s.info.unacked) = (30_000, Some(10_000), Some(20));
}

fn of(samples: Vec<KernelSample>) -> LiveConnection {
    let mut samples = samples.into_iter();
    let mut connection = LiveConnection::new(0, samples.next().unwrap(), Retention::default(), None);
    samples.for_each(|sample| connection.observe(sample, None, None));
    connection
}

/// An account that begins at 0 ms, with so many milliseconds of each.
fn account(parts: &[(HeldBy, i64)]) -> KernelAccount {
    let mut nanos = [0; HeldBy::ALL.len()];
    for (held, millis) in parts {
        nanos[*held as usize] += millis * MILLISECOND;
    }
    KernelAccount {
        since: Timestamp::ZERO,
        nanos,
        slow_reader: 0,
        blocked: Some(0),
        turns: [KernelTurns::default(); 2],
        held: parts.last().map_or(HeldBy::Idle, |part| part.0),
        looks: 1,
        opened: None,
        finish: None,
        unanswered: 0,
        is_unaccepted: false,
    }
}

/// Milliseconds by cause, in the order of names.
fn millis(limits: &LimitTimeline) -> Vec<(String, i64)> {
    let mut all: Vec<_> = limits.totals().iter().map(|t| (t.cause.to_string(), t.nanos / MILLISECOND)).collect();
    all.sort();
    all
}

/// Intervals in their order, milliseconds.
fn course(limits: &LimitTimeline) -> Vec<(String, i64)> {
    limits.intervals().iter().map(|i| (i.cause.to_string(), i.span.nanos() / MILLISECOND)).collect()
}

fn names(all: &[(&str, i64)]) -> Vec<(String, i64)> {
    all.iter().map(|&(cause, nanos)| (cause.to_owned(), nanos)).collect()
}
