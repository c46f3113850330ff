use tcpwhy_model::{Limit, Segment};

use super::Writer;
use super::sender::Sender;

/// The packets of a transfer, and what the model knows of its limits.
#[derive(Clone, Debug)]
pub struct Told {
    /// As captured.
    pub segments: Vec<Segment>,
    shares: Vec<(Limit, f64)>,
}

impl Told {
    /// Share of the time from the first data to the last acknowledgment in which `limit` bound, from 0 to 1.
    ///
    /// The sender of the model says why it stops whenever it does. While the bottleneck serves without rest for three
    /// round trips or more, the path is the limit of whoever would have sent more.
    pub fn share(&self, limit: Limit) -> f64 {
        self.shares.iter().find(|s| s.0 == limit).map_or(0.0, |s| s.1)
    }

    /// The limit with the most time.
    pub fn foremost(&self) -> Option<Limit> {
        self.shares.iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|s| s.0)
    }
}

/// Notes what bound, and when the bottleneck was at work.
#[derive(Default)]
pub(super) struct Truth {
    bounds: Vec<(i64, Limit)>,
    busy: Vec<(i64, i64)>,
}

impl Truth {
    /// From `now` on `limit` keeps the sender from sending.
    pub(super) fn bind(&mut self, now: i64, limit: Limit) {
        if self.bounds.last().is_none_or(|b| b.1 != limit) {
            self.bounds.push((now, limit));
        }
    }

    /// What was sent at `now` has passed the bottleneck at `until`.
    pub(super) fn serve(&mut self, now: i64, until: i64) {
        match self.busy.last_mut() {
            Some(last) if now <= last.1 => last.1 = until,
            _ => self.busy.push((now, until)),
        }
    }

    pub(super) fn tell(mut self, segments: Vec<Segment>, end: i64, rtt: i64) -> Told {
        self.busy.retain(|b| b.1 - b.0 >= 3 * rtt);
        let mut shares: Vec<(Limit, f64)> = Vec::new();
        let mut add = |limit, nanos: i64| match shares.iter_mut().find(|s| s.0 == limit) {
            Some(share) => share.1 += nanos as f64,
            None => shares.push((limit, nanos as f64)),
        };
        for (i, &(from, limit)) in self.bounds.iter().enumerate() {
            let until = self.bounds.get(i + 1).map_or(end, |b| b.0);
            let is_more_wanted = !matches!(limit, Limit::Application | Limit::LossRecovery);
            let overlap = |b: &(i64, i64)| (b.1.min(until) - b.0.max(from)).max(0);
            let queued = if is_more_wanted { self.busy.iter().map(overlap).sum() } else { 0 };
            add(Limit::Path, queued);
            add(limit, until - from - queued);
        }
        let begin = self.bounds.first().map_or(end, |b| b.0);
        let all = (end - begin).max(1) as f64;
        for share in &mut shares {
            share.1 /= all;
        }
        Told { segments, shares }
    }
}

impl Sender {
    /// What keeps it from sending more now.
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
