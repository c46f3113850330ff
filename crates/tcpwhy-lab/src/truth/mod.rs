//! The known facts about a recorded transfer: `truth.json`.

mod blocked;
mod conversation;
mod counted;
mod ended;
mod held;
mod label;
mod notes;
mod quality;
mod rounding;
mod shares;

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use tcpwhy_model::{Limit, Timestamp};

pub use self::blocked::BlockedFrom;
pub use self::conversation::{Conversation, Message};
pub use self::counted::Counted;
pub use self::ended::{Ended, How};
pub use self::held::held;
pub(crate) use self::notes::Notes;
pub use self::quality::{Doubt, Quality};
use self::rounding::{rounded, seconds};
pub use self::shares::labels;
use crate::sampler::{Sample, SocketState};
use crate::work::Log;
use tcpwhy_scenario::{CaptureSpec, End, Expected, Nanos, Phase, Scenario, Work};
pub use tcpwhy_watch::{Held, SocketTraits};

/// The known facts about a recorded transfer. Keys contain their units; times are seconds since the epoch on
/// the captures' clock.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Truth {
    /// Name of the scenario.
    pub name: String,
    /// The cause that the scenario sets, as one word: `sndbuf`, `rcvbuf`, `reader`, `loss`, …
    pub label: String,
    /// The scenario's title.
    pub why: String,
    /// The result of the transfer.
    pub outcome: Outcome,
    /// The cause of the connection's end.
    pub ended: Ended,
    /// Payload bytes that the sender sent.
    pub bytes: u64,
    /// Payload bytes that the receiver read.
    pub bytes_received: u64,
    /// Time from opening the connection until the receiver had read everything, or until the end if it never
    /// did.
    pub duration_s: f64,
    /// `bytes_received` per `duration_s`.
    pub goodput_mbit: f64,
    /// Time until `connect()` returned.
    pub handshake_s: f64,
    /// The sender's clocks of `tcp_info`.
    pub kernel_ms: KernelClocks,
    /// Time of the two programs by activity.
    pub app_ms: AppTimes,
    /// Bytes retransmitted.
    pub bytes_retrans: Option<u64>,
    /// Segments retransmitted.
    pub total_retrans: Option<u64>,
    /// Retransmission timeouts.
    pub total_rto: Option<u64>,
    /// Smallest round trip, µs.
    pub min_rtt_us: Option<u64>,
    /// Smoothed round trip at the end, µs.
    pub srtt_us: Option<u64>,
    /// The sender's `sk_sndbuf`: the first value and the largest, bytes.
    pub sk_sndbuf: Option<[u64; 2]>,
    /// The receiver's `sk_rcvbuf`: the first value and the largest, bytes.
    pub sk_rcvbuf: Option<[u64; 2]>,
    /// The source from which it is known that the sender was blocked in a write.
    pub blocked_from: BlockedFrom,
    /// Percent of the time under each limit of the sender. With `undecided_pct`, they add up to 100.
    #[serde(with = "shares::by_name")]
    pub sampled_pct: BTreeMap<Held, f64>,
    /// Percent of the time in which it is not known whether a foreign program waited for room in its send
    /// buffer or had nothing to send.
    #[serde(skip_serializing_if = "is_zero")]
    pub undecided_pct: f64,
    /// The kernel's counters at both ends.
    pub counted: Counted,
    /// Times that both programs noted, by event.
    pub times: BTreeMap<String, Pair>,
    /// Phases that set a cause of their own.
    pub timeline: Vec<PhaseTruth>,
    /// The messages, if the work is a conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversation: Option<Conversation>,
    /// Reliability of these facts.
    pub quality: Quality,
    /// Release of the kernel on which it ran.
    pub kernel: String,
    /// The congestion control that the sockets really had.
    pub congestion_control: String,
    /// The sender's socket at the end.
    pub sender_tcp_info: BTreeMap<String, u64>,
    /// The receiver's socket at the end.
    pub receiver_tcp_info: BTreeMap<String, u64>,
}

/// The result of a transfer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It ended as the scenario asks: usually after all data had arrived and both ends closed.
    #[default]
    Complete,
    /// It broke or took too long; the text names the program that noticed it and the error.
    Broken(String),
}

/// The clocks of `tcp_info` (RFC 4898 has none), milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KernelClocks {
    /// Time with data to send or in flight.
    pub busy: f64,
    /// Part of `busy` in which the peer's window was the limit.
    pub rwnd_limited: f64,
    /// Part of `busy` in which the send buffer was the limit, as far as the kernel notices it.
    pub sndbuf_limited: f64,
    /// The remaining part of `busy`.
    pub neither: f64,
}

/// Time of the programs by activity, milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AppTimes {
    /// Time of the sender in `send()`, or in `poll()` until it can send.
    pub send_blocked: f64,
    /// Time of the sender asleep.
    pub writer_asleep: f64,
    /// Time of the receiver in `recv()`.
    pub recv_blocked: f64,
    /// Time of the receiver asleep.
    pub reader_asleep: f64,
    /// Time of the sender in `recv()`.
    pub sender_recv_blocked: f64,
    /// Time in which the sender waited until its peer's protocol allowed more; 0 in recordings older than
    /// this field.
    #[serde(default)]
    pub peer_window: f64,
}

/// An event at both ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// At the sender.
    pub snd: Option<f64>,
    /// At the receiver.
    pub rcv: Option<f64>,
}

/// A phase that sets a cause of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PhaseTruth {
    /// The program whose pace begins and ends it: `writer` or `reader`.
    pub source: String,
    /// The cause that it sets, as one word.
    pub label: String,
    /// Start time.
    pub start: f64,
    /// Start time of the next phase.
    pub end: f64,
    /// Percent of the phase under each limit of the sender.
    #[serde(with = "shares::by_name")]
    pub sampled_pct: BTreeMap<Held, f64>,
}

/// Whether a value is 0 and can be left out, as in older recordings.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

impl Truth {
    /// Rate at which the receiver read data, bit/s.
    pub fn goodput(&self) -> f64 {
        rate(self.bytes_received, self.duration_s)
    }

    /// Percent of a stretch of the connection under each limit of the sender, by the samples of its socket.
    pub fn sampled_in(
        &self,
        scenario: &Scenario,
        samples: &[Sample],
        stretch: Range<Timestamp>,
    ) -> BTreeMap<Held, f64> {
        let manner = SocketTraits {
            paces: self.congestion_control.starts_with("bbr"),
            nodelay: scenario.sender.nodelay,
            corked: false,
        };
        shares::shares(samples, manner, stretch.start, stretch.end).by
    }

    /// The time from the sender's connection until everything was acknowledged, or until its last event if
    /// that never happened.
    pub fn stretch(&self) -> Range<Timestamp> {
        let at = |name: &str| self.times.get(name).and_then(|pair| pair.snd);
        let start = at("t_connected").unwrap_or_default();
        let end = at("t_all_acked").unwrap_or(start + self.duration_s);
        timestamp(start)..timestamp(end)
    }

    pub(crate) fn of(notes: Notes<'_>) -> Self {
        let Notes { scenario, logs, samples, .. } = &notes;
        let [sender, receiver] = *logs;
        let opened = [sender.opened, receiver.opened].into_iter().flatten().min();
        let handshake = logs.iter().filter_map(|log| Some(log.connected?.since(log.opened?))).max();
        let last_seen = samples.iter().filter_map(|samples| Some(samples.last()?.time)).max();
        let ended = receiver.eof.or(last_seen).or(sender.shutdown);
        let duration_s = opened.zip(ended).map_or(0.0, |(opened, ended)| rounded(ended.since(opened) as f64 / 1e9, 6));
        let state = last_state(sender, &samples[0]);
        let info = state.map(|state| state.info).unwrap_or_default();
        let congestion_control = match sender.congestion_control.as_str() {
            // A foreign program does not report its congestion control, so it is that of its route, which the
            // scenario sets.
            "" => &scenario.sender.congestion_control,
            known => known,
        };
        let manner = SocketTraits {
            paces: congestion_control.starts_with("bbr"),
            nodelay: scenario.sender.nodelay,
            corked: false,
        };
        let whole = sender.connected.unwrap_or_default()..sender.all_acked.or(last_seen).unwrap_or_default();
        let Range { start, end } = captured(&scenario.capture, notes.begun, whole.clone());
        let sampled = shares::shares(&samples[0], manner, start, end);
        Self {
            name: scenario.name.clone(),
            label: label::label(scenario).to_owned(),
            why: scenario.story.en.title.clone(),
            outcome: outcome(logs),
            ended: Ended::of(logs),
            bytes: sender.sent,
            bytes_received: receiver.received,
            duration_s,
            // The precision is 1 bit/s, so that a connection that hangs after its first kilobyte does not
            // have 0 bit/s.
            goodput_mbit: rounded(rate(receiver.received, duration_s) / 1e6, 6),
            handshake_s: rounded(handshake.unwrap_or_default() as f64 / 1e9, 6),
            kernel_ms: KernelClocks::of(&info),
            app_ms: AppTimes::of(logs),
            bytes_retrans: info.bytes_retrans,
            total_retrans: info.total_retrans,
            total_rto: info.total_rto,
            min_rtt_us: info.min_rtt,
            srtt_us: info.rtt,
            sk_sndbuf: first_and_largest(&samples[0], |state| state.memory.send_buffer),
            sk_rcvbuf: first_and_largest(&samples[1], |state| state.memory.receive_buffer),
            blocked_from: notes.blocked_from,
            undecided_pct: sampled.undecided,
            sampled_pct: sampled.by,
            counted: notes.counted.clone(),
            times: times(logs),
            timeline: timeline(&notes, manner, whole.end),
            conversation: match &scenario.work {
                Work::Talk(talk) => Some(Conversation::of(talk, logs)),
                _ => None,
            },
            quality: Quality::of(&notes),
            congestion_control: congestion_control.to_owned(),
            sender_tcp_info: known(state.as_ref()),
            receiver_tcp_info: known(last_state(receiver, &samples[1]).as_ref()),
            kernel: notes.kernel,
        }
    }
}

fn last_state(log: &Log, samples: &[Sample]) -> Option<SocketState> {
    log.last_state.or_else(|| samples.last().map(|sample| sample.socket))
}

fn known(state: Option<&SocketState>) -> BTreeMap<String, u64> {
    let info = state.map(|state| state.info).unwrap_or_default();
    info.known().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn outcome(logs: &[Log; 2]) -> Outcome {
    let failures: Vec<String> = End::BOTH
        .iter()
        .filter_map(|&end| logs[end.index()].failure.as_ref().map(|failure| format!("{end}: {failure}")))
        .collect();
    if failures.is_empty() { Outcome::Complete } else { Outcome::Broken(failures.join("; ")) }
}

fn first_and_largest(samples: &[Sample], of: impl Fn(&SocketState) -> Option<u64>) -> Option<[u64; 2]> {
    let mut sizes = samples.iter().filter_map(|sample| of(&sample.socket));
    let first = sizes.next()?;
    Some([first, sizes.fold(first, u64::max)])
}

fn times(logs: &[Log; 2]) -> BTreeMap<String, Pair> {
    let pair =
        |of: fn(&Log) -> Option<Timestamp>| Pair { snd: of(&logs[0]).map(seconds), rcv: of(&logs[1]).map(seconds) };
    BTreeMap::from([
        ("t_open".to_owned(), pair(|log| log.opened)),
        ("t_connected".to_owned(), pair(|log| log.connected)),
        ("t_first_io".to_owned(), pair(|log| log.first_io)),
        ("t_last_io".to_owned(), pair(|log| log.last_io)),
        ("t_shutdown".to_owned(), pair(|log| log.shutdown)),
        ("t_all_acked".to_owned(), pair(|log| log.all_acked)),
        ("t_eof".to_owned(), pair(|log| log.eof)),
    ])
}

/// The captured part of a stretch.
fn captured(spec: &CaptureSpec, begun: Timestamp, whole: Range<Timestamp>) -> Range<Timestamp> {
    let at = |since: Nanos| Timestamp::from_nanos(begun.as_nanos() + since.0.cast_signed());
    let start = spec.begin.map_or(whole.start, |begin| whole.start.max(at(begin)));
    let end = spec.end.map_or(whole.end, |end| whole.end.min(at(end)));
    start..end.max(start)
}

fn timestamp(seconds: f64) -> Timestamp {
    Timestamp::from_nanos((seconds * 1e9).round() as i64)
}

/// Bits per second; 0 if no time passed.
fn rate(bytes: u64, seconds: f64) -> f64 {
    if seconds > 0.0 { bytes as f64 * 8.0 / seconds } else { 0.0 }
}

/// A phase with a limit of the receiver begins when the reader reaches it, any other when the writer does.
fn timeline(notes: &Notes<'_>, manner: SocketTraits, all_acked: Timestamp) -> Vec<PhaseTruth> {
    let Work::Stream(stream) = &notes.scenario.work else { return Vec::new() };
    let [sender, receiver] = notes.logs;
    let phase = |(index, phase): (usize, &Phase)| {
        let imposes = phase.imposes?;
        let (source, starts, over) = match imposes {
            Expected::Cause(cause) if cause.limit == Limit::ReceiveWindow => {
                ("reader", &receiver.phases, receiver.eof.unwrap_or(all_acked))
            }
            _ => ("writer", &sender.phases, all_acked),
        };
        let start = *starts.get(index)?;
        let end = starts.get(index + 1).copied().unwrap_or(over);
        Some(PhaseTruth {
            source: source.to_owned(),
            label: label::label_of(imposes).to_owned(),
            start: seconds(start),
            end: seconds(end),
            sampled_pct: shares::shares(&notes.samples[0], manner, start, end.min(all_acked)).by,
        })
    };
    stream.phases.iter().enumerate().filter_map(phase).collect()
}

impl KernelClocks {
    fn of(info: &tcpwhy_model::host::TcpInfo) -> Self {
        let millis = |field: Option<u64>| field.unwrap_or_default() as f64 / 1000.0;
        let (busy, rwnd_limited, sndbuf_limited) =
            (millis(info.busy_time), millis(info.rwnd_limited), millis(info.sndbuf_limited));
        Self { busy, rwnd_limited, sndbuf_limited, neither: busy - rwnd_limited - sndbuf_limited }
    }
}

impl AppTimes {
    fn of([sender, receiver]: &[Log; 2]) -> Self {
        let millis = |nanos: u64| (nanos / 1000) as f64 / 1000.0;
        Self {
            send_blocked: millis(sender.spent.in_send),
            writer_asleep: millis(sender.spent.asleep),
            recv_blocked: millis(receiver.spent.in_recv),
            reader_asleep: millis(receiver.spent.asleep),
            sender_recv_blocked: millis(sender.spent.in_recv),
            peer_window: millis(sender.spent.in_peer_window),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A connection that hangs after its first kilobyte has a low rate, not a rate of 0.
    #[test]
    fn slow_is_not_nothing() {
        assert_eq!(rounded(rate(1000, 29.99191) / 1e6, 6).to_string(), "0.000267");
        assert_eq!(rounded(rate(1_250_000, 0.1) / 1e6, 6).to_string(), "100");
        assert_eq!(rate(1000, 0.0).to_string(), "0");
    }
}
