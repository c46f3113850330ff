use tcpwhy_model::{Limit, Segment, Span, Timestamp};

use super::sender::Sender;
use super::{Capture, Transfer, Writer};
use crate::at;

/// The packets of a transfer, with the limits that the model knows.
#[derive(Clone, Debug)]
pub struct Told {
    /// Packets as captured.
    pub segments: Vec<Segment>,
    shares: Vec<(Limit, f64)>,
    /// Limits in order, at the times that the capture shows: later by the transit time of data over an empty
    /// path.
    times: Vec<(Span, Limit)>,
}

impl Told {
    /// Share of the time from the first data to the last acknowledgment in which `limit` limited, from 0 to
    /// 1.
    ///
    /// The sender of the model records why it stops whenever it does. While the bottleneck is busy without a
    /// pause for three round trips or more, the path is the limit of a sender with more data.
    pub fn share(&self, limit: Limit) -> f64 {
        self.shares.iter().find(|s| s.0 == limit).map_or(0.0, |s| s.1)
    }

    /// Nanoseconds of `span` in which `limit` limited.
    pub fn nanos_of(&self, span: Span, limit: Limit) -> i64 {
        let first = self.times.partition_point(|t| t.0.end() <= span.start());
        let within = self.times[first..].iter().take_while(|t| t.0.start() < span.end()).filter(|t| t.1 == limit);
        within.map(|t| t.0.end().min(span.end()).since(t.0.start().max(span.start()))).sum()
    }

    /// Interval from the first data to the last acknowledgment.
    pub fn span(&self) -> Span {
        let start = self.times.first().map_or(Timestamp::ZERO, |t| t.0.start());
        Span::new(start, self.times.last().map_or(start, |t| t.0.end()))
    }

    /// The limit with the most time.
    pub fn foremost(&self) -> Option<Limit> {
        self.shares.iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|s| s.0)
    }
}

/// Records the limits, and when the bottleneck was busy.
#[derive(Default)]
pub(super) struct Truth {
    bounds: Vec<(i64, Limit)>,
    busy: Vec<(i64, i64)>,
}

impl Truth {
    /// From `now` on `limit` prevents the sender from sending.
    pub(super) fn bind(&mut self, now: i64, limit: Limit) {
        if self.bounds.last().is_none_or(|b| b.1 != limit) {
            self.bounds.push((now, limit));
        }
    }

    /// Data sent at `now` has passed the bottleneck at `until`.
    pub(super) fn serve(&mut self, now: i64, until: i64) {
        match self.busy.last_mut() {
            Some(last) if now <= last.1 => last.1 = last.1.max(until),
            _ => self.busy.push((now, until)),
        }
    }

    pub(super) fn tell(mut self, segments: Vec<Segment>, end: i64, transfer: &Transfer) -> Told {
        let rtt = transfer.rtt;
        self.busy.retain(|b| b.1 - b.0 >= 3 * rtt);
        let later = match transfer.capture {
            Capture::Sender => 0,
            Capture::Middle => rtt / 4,
            Capture::Receiver => rtt / 2,
        };
        let mut times: Vec<(Span, Limit)> = Vec::new();
        let mut add = |from: i64, until: i64, limit| {
            if until > from {
                times.push((Span::new(at(from + later), at(until + later)), limit));
            }
        };
        for (i, &(from, limit)) in self.bounds.iter().enumerate() {
            // A sender that wakes after the last acknowledgment records a limit that no data waits for.
            let until = self.bounds.get(i + 1).map_or(end, |b| b.0.min(end));
            let is_more_wanted = !matches!(limit, Limit::Application | Limit::LossRecovery);
            let mut done = from;
            for &(start, stop) in self.busy.iter().filter(|b| is_more_wanted && b.0 < until && b.1 > from) {
                add(done, start.min(until), limit);
                add(start.max(done), stop.min(until), Limit::Path);
                done = done.max(stop.min(until));
            }
            add(done, until, limit);
        }
        let begin = self.bounds.first().map_or(end, |b| b.0);
        let all = (end - begin).max(1) as f64;
        let mut shares: Vec<(Limit, f64)> = Vec::new();
        for (span, limit) in &times {
            let share = span.nanos() as f64 / all;
            match shares.iter_mut().find(|s| s.0 == *limit) {
                Some(s) => s.1 += share,
                None => shares.push((*limit, share)),
            }
        }
        Told { segments, shares, times }
    }
}

impl Sender {
    /// Reason that prevents it from sending more now.
    pub(super) fn bound(&self) -> Limit {
        let len = self.mss.min(self.written.saturating_sub(self.next));
        if self.recovery.is_some() {
            Limit::LossRecovery
        } else if self.written == self.total && len == 0 {
            Limit::TailRtt
        } else if len < self.mss && self.written < self.total {
            if matches!(self.writer, Writer::Bulk) { Limit::SendBuffer } else { Limit::Application }
        } else if self.next + len > self.edge {
            Limit::ReceiveWindow
        } else if self.cwnd < self.ssthresh && self.cwnd < self.clamp && self.pacer.is_none() {
            Limit::SlowStart
        } else {
            Limit::CongestionWindow
        }
    }
}
