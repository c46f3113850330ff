//! A live connection in the terms of captures: the same limits, verdict, findings and messages.

mod transferred;

use std::net::{IpAddr, Ipv4Addr};

use tcpwhy_model::host::{SocketAddress, TcpState};
use tcpwhy_model::{
    Basis, ByteCount, Cause, Detail, Endpoint, Finding, Limit, LimitTimeline, Prediction, Rate, Severity, Span,
    VerdictReason, WindowScale,
};

use super::baseline::Baseline;
use super::connection::LiveConnection;
use super::direction::Direction;
use super::findings;
use super::socket::{has_closed, has_peer_closed};
use super::thresholds::{
    CLOSES_OFTEN, MICROS_PER_SECOND, MICROSECOND, PATH_FASTER, PATH_LEADS, PATH_SHOWS, UNKNOWN_ROUND_TRIP,
};
use tcpwhy_analysis::advise::{Capacity, Inputs, without};
use tcpwhy_analysis::advise::{Lead, lead, lead_where};
use tcpwhy_analysis::advise::{Weighed, of_verdict};
use tcpwhy_analysis::{
    Close, Connection, Ending, HalfConnection, Meanwhile, Role, Side, Vantage, VantageEstimate, Verdict,
};

impl LiveConnection {
    /// The connection so far in the form of a captured one. This end is side A.
    pub fn conclude(&self) -> Connection {
        let role = self.role();
        let span = Span::new(self.first.time, self.last.time);
        let has_sending = self.sent() > 0 || self.last.socket.send_queue > 0 || self.reader.receiving.is_none();
        let sending = has_sending.then(|| self.half(Side::A, role, &self.sending));
        let receiving = self.reader.receiving.as_ref().map(|direction| self.half(Side::B, role.peer(), direction));
        let now = Baseline::of(&self.last);
        let packets = [0, 1].map(|i| now.segments[i].saturating_sub(self.first.segments[i]));
        Connection {
            id: self.id,
            endpoints: [self.local(), self.peer()].map(endpoint),
            initiator: match role {
                Role::Client => Some(Side::A),
                Role::Server => Some(Side::B),
                Role::Unknown => None,
            },
            span,
            first_packet: 0,
            packets,
            vantage: VantageEstimate { near: Some(Side::A), is_middle: false, basis: Basis::KernelReported },
            ending: self.ending(),
            close: Close::default(),
            halves: sending.into_iter().chain(receiving).collect(),
            findings: Vec::new(),
            rtt_min: self.last.socket.info.min_rtt.map(|micros| micros.saturating_mul(MICROSECOND)),
            kernel: None,
            server_name: None,
            served_by: None,
            has_wrong_clock: false,
            awaited: None,
            exchanges: None,
        }
    }

    fn ending(&self) -> Ending {
        if let Some(ending) = self.failed_ending() {
            return ending;
        }
        let socket = &self.last.socket;
        match (has_closed(socket), has_peer_closed(socket)) {
            _ if socket.state == Some(TcpState::SynSent) && self.has_ended => Ending::Unanswered,
            (true, true) => Ending::Closed,
            _ if self.has_ended => Ending::Closed,
            (false, false) => Ending::Open,
            _ => Ending::HalfClosed,
        }
    }

    fn half(&self, sender: Side, role: Role, direction: &Direction) -> HalfConnection {
        let limits = direction.limits();
        let is_ours = sender == Side::A;
        let (info, first, now) = (&self.last.socket.info, self.first, Baseline::of(&self.last));
        let bytes = if is_ours { self.sent() } else { self.received() };
        let verdict = self.verdict(Weighed { limits: &limits, bytes }, role, is_ours);
        let mut findings: Vec<Finding> = findings::explain(&verdict, &self.last.socket).into_iter().collect();
        if let (Some(finding), Some(cause), true) = (findings.first_mut(), verdict.cause, is_ours) {
            finding.prediction = self.predict(&limits, bytes, cause);
        }
        HalfConnection {
            sender,
            role,
            exchange_role: role,
            bytes,
            retransmitted_bytes: if is_ours {
                now.retransmitted_bytes.saturating_sub(first.retransmitted_bytes)
            } else {
                0
            },
            segments: now.data_segments[sender.index()].saturating_sub(first.data_segments[sender.index()]),
            retransmitted_segments: if is_ours { now.retransmitted.saturating_sub(first.retransmitted) } else { 0 },
            span: limits.span(),
            goodput: Rate::over(bytes, limits.span().nanos()),
            mss: if is_ours { info.snd_mss } else { info.rcv_mss },
            window_scale: match if is_ours { info.snd_wscale } else { info.rcv_wscale } {
                Some(shift) => WindowScale::Shift(shift as u8),
                None => WindowScale::NotNegotiated,
            },
            vantage: if is_ours { Vantage::Sender } else { Vantage::Receiver },
            rtt: self.rates.round_trips.distribution().filter(|_| is_ours).map(|rtt| (rtt, Basis::KernelReported)),
            flight: None,
            receive_window: None,
            path_rate: None,
            loss_line: None,
            progress: None,
            transfer: is_ours.then(|| self.transferred(&limits, bytes)).flatten(),
            together: None,
            findings,
            limits,
            verdict,
        }
    }

    fn verdict(&self, half: Weighed<'_>, role: Role, is_ours: bool) -> Verdict {
        let Some(mut lead) = lead_where(half, role, is_path_used) else { return Verdict::healthy() };
        name_reader(&mut lead, half.limits);
        // As for captures, unknown time deserves a note, because it does not mean that nothing was the limit.
        let severity = match lead.family {
            Some(_) => of_verdict(half, role, lead.cause, lead.family_nanos),
            None => Some(Severity::Info),
        };
        let is_mine = |cause: Cause| cause == lead.cause || (lead.family.is_some() && cause.family() == lead.family);
        Verdict {
            cause: Some(lead.cause),
            confidence: half.limits.sum(is_mine).1,
            seconds: lead.nanos as f64 / 1e9,
            severity: severity.map(|severity| if is_path_used(lead.cause) { Severity::Info } else { severity }),
            alternative: None,
            reason: (lead.cause.limit == Limit::Unobserved).then_some(if is_ours {
                VerdictReason::NotReported
            } else {
                VerdictReason::SeenFromReceiver
            }),
            meanwhile: if is_ours { self.meanwhile(lead.cause.limit) } else { Meanwhile::default() },
            flips: None,
        }
    }

    /// The gain from removing `cause` on this side, by the rules of captures. `None` if its round trip is
    /// unknown, or if the next limit is unknown.
    fn predict(&self, limits: &LimitTimeline, bytes: ByteCount, cause: Cause) -> Option<Prediction> {
        let info = &self.last.socket.info;
        let rtt = info.min_rtt.filter(|&micros| micros > 0 && micros < UNKNOWN_ROUND_TRIP)? as f64 / MICROS_PER_SECOND;
        let path = self.path(limits, bytes);
        self.predict_of(limits, bytes, cause, Pace { mss: info.snd_mss? as f64, rtt, path })
    }

    /// The gain for the direction of a capture that this socket sent, with its time in `limits`. Packets show
    /// the round trip, and the path's rate if they arrived closely enough.
    pub(crate) fn predict_within(
        &self,
        half: &HalfConnection,
        limits: &LimitTimeline,
        cause: Cause,
    ) -> Option<Prediction> {
        let rtt = half.rtt.map(|(rtt, _)| rtt.min).filter(|&nanos| nanos > 0)? as f64 / 1e9;
        let path =
            half.path_rate.map_or_else(|| self.path(limits, half.bytes), |rate| Capacity::Seen(rate.bytes_per_sec()));
        self.predict_of(limits, half.bytes, cause, Pace { mss: half.mss? as f64, rtt, path })
    }

    /// The path's rate is the delivered rate while the path was the limit. Otherwise the delivered rate is a
    /// lower bound.
    fn path(&self, limits: &LimitTimeline, bytes: ByteCount) -> Capacity {
        match self.path_rate(limits, bytes) {
            Some(rate) => Capacity::Seen(rate),
            None => Capacity::Unknown { at_least: self.rates.best_delivery.unwrap_or_default() as f64 },
        }
    }

    fn has_lost(&self) -> bool {
        self.last.socket.info.total_retrans.unwrap_or_default() > self.first.retransmitted
    }

    /// The path's rate, bytes per second, if the path was the limit for a part of the time of `bytes`.
    ///
    /// The rest of a transfer may be as fast under another limit. Then that limit must be shown, because its
    /// bursts wait for each other in the path's queue as if the path were saturated.
    ///
    /// Losses do not show the path's rate, because random losses occur at any rate.
    fn path_rate(&self, limits: &LimitTimeline, bytes: ByteCount) -> Option<f64> {
        let all = limits.span().nanos() as f64;
        let share = limits.nanos_of(Limit::Path) as f64 / all.max(1.0);
        let rate = self.rates.path_delivery? as f64;
        let pace = bytes as f64 / (all / 1e9).max(f64::MIN_POSITIVE);
        (share > PATH_LEADS || share > PATH_SHOWS && rate > pace * PATH_FASTER).then_some(rate)
    }

    fn predict_of(&self, limits: &LimitTimeline, bytes: ByteCount, cause: Cause, pace: Pace) -> Option<Prediction> {
        let under = |limit| self.rates.under.iter().find(|under| under.limit == limit).map_or(0.0, |under| under.bytes);
        let inputs = Inputs {
            limits,
            bytes: bytes as f64,
            bytes_under: &under,
            mss: pace.mss,
            rtt: pace.rtt,
            was_cut: self.has_lost(),
            capacity: pace.path,
            at_best: pace.path,
            closest: None,
            is_path_full: self.path_rate(limits, bytes).is_some(),
            least: 0.0,
        };
        let mut prediction = without(&inputs, cause).filter(|_| bytes > 0)?;
        if prediction.seconds.basis == Basis::WireInferred {
            prediction.seconds.basis = Basis::KernelInferred;
        }
        Some(prediction)
    }

    pub(crate) fn meanwhile(&self, limit: Limit) -> Meanwhile {
        let Some(seen) = self.rates.under.iter().find(|under| under.limit == limit && under.nanos > 0.0) else {
            return Meanwhile::default();
        };
        let known = |sum: f64| Some((sum / seen.nanos).round() as u64).filter(|&value| value > 0);
        Meanwhile {
            flight: known(seen.flight),
            window: Some(seen.window).filter(|&window| window > 0),
            rtt: known(seen.rtt * MICROSECOND as f64),
        }
    }
}

/// The properties on which a prediction for a new transfer depends.
#[derive(Clone, Copy)]
struct Pace {
    /// Maximum segment size, bytes.
    mss: f64,
    /// Smallest round-trip time, seconds.
    rtt: f64,
    /// The path's rate.
    path: Capacity,
}

/// The verdict on the direction of a capture with the time that `limits` divide, by the rules of captures.
pub(crate) fn judge_merged(half: &HalfConnection, limits: &LimitTimeline) -> Verdict {
    let weighed = Weighed { limits, bytes: half.bytes };
    let Some(mut lead) = lead(weighed, half.exchange_role) else { return Verdict::healthy() };
    if Some(lead.cause) != half.verdict.cause {
        name_reader(&mut lead, limits);
    }
    let is_mine = |cause: Cause| cause == lead.cause || (lead.family.is_some() && cause.family() == lead.family);
    Verdict {
        cause: Some(lead.cause),
        confidence: limits.sum(is_mine).1,
        seconds: lead.nanos as f64 / 1e9,
        severity: match lead.family {
            Some(_) => of_verdict(weighed, half.exchange_role, lead.cause, lead.family_nanos),
            None => Some(Severity::Info),
        },
        ..Verdict::healthy()
    }
}

/// Names the reader as the cause of repeated zero windows, because the size of the window does not matter
/// then.
fn name_reader(lead: &mut Lead, limits: &LimitTimeline) {
    let closed = limits.nanos_of_cause(Detail::ZeroWindow.into());
    if lead.cause == Cause::plain(Limit::ReceiveWindow) && closed * CLOSES_OFTEN >= lead.family_nanos {
        (lead.cause, lead.nanos) = (Detail::ZeroWindow.into(), closed);
    }
}

/// Whether the path is saturated, which is not a loss of time.
fn is_path_used(cause: Cause) -> bool {
    cause.limit == Limit::Path && !cause.is_removable()
}

fn endpoint(address: &SocketAddress) -> Endpoint {
    Endpoint {
        address: address.address.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)),
        port: address.port.unwrap_or_default(),
    }
}

#[cfg(test)]
mod terms;
