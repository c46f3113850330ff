//! What a supposed cause adds to the transfer that the packets show.

use tcpwhy_model::{Cause, Detail, Limit};
use tcpwhy_scenario::{BitRate, Bytes, Credit, Nanos, Phase, Reader, Writer};

use super::base::{BINDING, LEAST_LOSS, Parts, Rebuilt, WMEM, set_third};
use super::distance::BuiltFrom;
use super::shown::Shown;
use super::situation::{Assumption, RebuildError};
use super::{Trace, conversation};
use tcpwhy_fit::Setting;

/// Bytes of a frame in HTTP/2 unless the peer allows more (RFC 9113 §4.2), and half of OpenSSH's packets.
const FRAME: u64 = 16_384;
/// Bytes that a scenario's messages have at least.
const LEAST_MESSAGE: u64 = 8;
/// Bursts of a program without a rhythm that are imposed one by one.
const MOST_PHASES: usize = 250;

/// The transfer under `cause`; `setting` is what made its buffer, where it has one.
pub(super) fn impose(shown: &Shown<'_>, cause: Cause, setting: Option<Setting>) -> Result<Rebuilt, RebuildError> {
    let mut parts = shown.base()?;
    let needs = |is_there: bool, trace: Trace| if is_there { Ok(()) } else { Err(RebuildError::Absent(trace)) };
    match (cause.limit, cause.detail) {
        (Limit::SendBuffer, _) => fill_send_buffer(shown, &mut parts, setting),
        (Limit::ReceiveWindow, Some(Detail::NoWindowScale)) => {
            let facts = &shown.observed.facts;
            needs(facts.has_receiver_syn && facts.scales[1].is_none(), Trace::MissingScale)?;
        }
        // Nothing is in flight to fill a window of zero bytes.
        (Limit::ReceiveWindow, Some(Detail::ZeroWindow)) => shown.stall(&mut parts)?,
        (Limit::ReceiveWindow, detail) => {
            needs(shown.observed.full >= BINDING / 2.0, Trace::FullWindow)?;
            match detail {
                Some(Detail::SmallBuffer | Detail::Capped) => {
                    shown.offer(&mut parts, setting.unwrap_or_else(|| shown.shown_setting()));
                }
                Some(Detail::SlowReader) => shown.read_slowly(&mut parts)?,
                _ => {}
            }
        }
        (Limit::AckDelay, _) => {
            let turns = conversation::turns(shown, &mut parts.situation, |bytes| {
                conversation::in_two_writes(bytes, shown.observed.facts.first_part)
            })?;
            parts.turns = Some(turns);
        }
        (Limit::Application, Some(Detail::PeerWindow)) => grant(shown, &mut parts)?,
        (Limit::Application, Some(Detail::Think | Detail::PeerTurn)) => {
            let turns = conversation::turns(shown, &mut parts.situation, |bytes| vec![Bytes(bytes)])?;
            parts.turns = Some(turns);
        }
        (Limit::Application, Some(Detail::CloseWait)) => return Err(RebuildError::Cause(cause)),
        (Limit::Application, _) => {
            needs(!shown.observed.is_released_by_acks(), Trace::OwnSends)?;
            write_by_clock(shown, &mut parts);
        }
        (Limit::Path, Some(Detail::Policer)) => {
            needs(parts.link.forward.policer.is_some(), Trace::Bucket)?;
        }
        (Limit::LossRecovery, _) | (Limit::CongestionWindow, Some(Detail::PostLoss)) => {
            needs(shown.observed.retransmitted >= LEAST_LOSS, Trace::Repeats)?;
        }
        (Limit::CongestionWindow, Some(Detail::Paced)) => {
            "bbr".clone_into(&mut parts.sender.congestion_control);
        }
        (Limit::Handshake, Some(Detail::SynRto)) => {
            needs(shown.observed.facts.syns.iter().any(|&count| count > 1), Trace::RepeatedSyn)?;
        }
        // What opens the window, and the path itself, are there whatever is supposed.
        (Limit::Path | Limit::SlowStart | Limit::CongestionWindow, _) => {}
        (Limit::Unobserved | Limit::TailRtt | Limit::Handshake, _) => return Err(RebuildError::Cause(cause)),
    }
    Ok(parts.scenario(shown.half, Some(cause)))
}

/// A buffer that lets as much be in flight as usually was.
fn fill_send_buffer(shown: &Shown<'_>, parts: &mut Parts, setting: Option<Setting>) {
    let plateau = shown.observed.usual_flight() as u64;
    let size = write_size(shown, parts, plateau);
    parts.write = Writer { size: Bytes(size), ..Writer::default() };
    parts.turns = None;
    // Then the last unsent bytes of a full buffer cannot go on growing (`tcp_sendmsg_locked`), and the buffer
    // binds as it is.
    parts.sender.nodelay = true;
    let asked = shown.host.sndbuf_for(plateau, size, parts.situation.mtu);
    parts.setting = Some(if asked.is_some() { setting.unwrap_or(Setting::Socket) } else { Setting::Sysctl });
    parts.is_paced_by_buffer = true;
    match asked.filter(|_| setting != Some(Setting::Sysctl)) {
        Some(asked) => parts.sender.sndbuf = Some(Bytes(asked)),
        None => set_third(&mut parts.sender, WMEM, 16_384, plateau),
    }
}

/// How much the application gave at a time: what left as one super-packet where that can be seen.
fn write_size(shown: &Shown<'_>, parts: &mut Parts, plateau: u64) -> u64 {
    let least = parts.situation.mss.min(1448);
    let half = shown.half;
    if half.vantage == tcpwhy_analysis::Vantage::Sender && half.segments > 0 {
        return (half.bytes / half.segments).clamp(least, 65_160).min(plateau.max(least));
    }
    parts.situation.assumptions.push(Assumption::Writes);
    (plateau / 8).clamp(least, 65_160)
}

/// A protocol whose receiver allows as much to be under way as was, by messages as often and as large as they
/// were.
fn grant(shown: &Shown<'_>, parts: &mut Parts) -> Result<(), RebuildError> {
    let (count, bytes) = shown.observed.facts.peer_messages;
    if count == 0 {
        return Err(RebuildError::Absent(Trace::PeerMessages));
    }
    let window = (shown.observed.flight.quantile(0.98).unwrap_or_default() as u64).max(LEAST_MESSAGE);
    let after = (shown.half.bytes / count).clamp(1, window);
    parts.turns = None;
    parts.write = Writer { size: Bytes(FRAME.min(window)), ..Writer::default() };
    parts.credit = Some(Credit {
        window: Bytes(window),
        connection_window: None,
        after: Some(Bytes(after)),
        grant: Bytes((bytes / count).clamp(LEAST_MESSAGE, FRAME)),
        header: Bytes(9),
        streams: 1,
    });
    parts.sender.nodelay = true;
    parts.receiver.nodelay = true;
    Ok(())
}

/// A program that writes by a clock of its own, whatever is acknowledged: in its rhythm, or burst by burst as
/// it did.
fn write_by_clock(shown: &Shown<'_>, parts: &mut Parts) {
    let bursts = &shown.observed.facts.bursts;
    let bytes = shown.half.bytes;
    parts.turns = None;
    parts.sender.nodelay = true;
    parts.situation.assumptions.push(Assumption::OwnClock);
    parts.built_from = BuiltFrom::Schedule;
    let length = bursts.list.last().map_or(0, |last| last.start) as f64 / 1e9;
    if let Some(period) = bursts.period()
        && length > 0.0
    {
        // The last burst takes no time of its own.
        let before = bursts.list.split_last().map_or(0, |(_, all)| all.iter().map(|burst| burst.bytes).sum());
        let rate = BitRate((before as f64 * 8.0 / length) as u64);
        parts.write = Writer { rate: Some(rate), every: Some(Nanos(period)), ..Writer::default() };
        return;
    }
    let starts = || bursts.list.iter().map(|burst| burst.start);
    let rests = std::iter::once(0).chain(starts().zip(starts().skip(1)).map(|(one, next)| next - one));
    let mut phases: Vec<Phase> = bursts
        .list
        .iter()
        .zip(rests)
        .take(MOST_PHASES)
        .map(|(burst, rest)| Phase {
            bytes: Bytes(burst.bytes),
            write: Writer { delay: Nanos(u64::try_from(rest).unwrap_or_default()), ..Writer::default() },
            read: Reader { ..parts.read },
            imposes: None,
        })
        .collect();
    let written: u64 = phases.iter().map(|phase| phase.bytes.0).sum();
    if bursts.list.len() <= MOST_PHASES
        && let Some(last) = phases.last_mut()
    {
        last.bytes.0 += bytes.saturating_sub(written);
    }
    parts.phases = phases;
}
