//! A newer sample of a connection: what it settles, and how its time is shared out.

use tcpwhy_model::Detail;
use tcpwhy_model::host::TcpInfo;
use tcpwhy_model::live::{HeldBy, KernelAccount, KernelSample, Opened};

use super::accounted::{Account, accounted, slow_reader};
use super::live::LiveConnection;
use super::rates::Rates;
use super::reader::Reader;
use super::sampled::parts;
use crate::baseline::{Baseline, acked, received};
use crate::bound::Bound;
use crate::direction::{Direction, Doubt, Part, Retention};
use crate::hypotheses::Held;
use crate::instant::InstantLimit;
use crate::outcome::Fate;
use crate::reported::Reported;
use crate::socket::has_peer_closed;
use crate::thresholds::MICROSECOND;

impl LiveConnection {
    pub(crate) fn new(id: u64, sample: KernelSample, keep: Retention, largest: Option<u64>) -> Self {
        let instant = InstantLimit::at(&sample.socket, false, largest, |by| by);
        Self {
            id,
            process: None,
            samples: 1,
            sending: Direction::new(sample.time, keep),
            reader: Reader::new(&sample.socket, keep),
            rates: Rates::new(&sample),
            instant,
            has_turns: false,
            usual: None,
            bound: Bound::default(),
            fate: Fate::of(&sample.socket),
            thought: 0,
            progress: sample.time,
            has_ended: false,
            reported: Reported::default(),
            has_moved: sample.socket.send_queue + sample.socket.receive_queue > 0,
            is_server: false,
            began_here: false,
            account: None,
            first: Baseline::of(&sample),
            last: sample,
        }
    }

    /// One of which the kernel keeps an account, from its beginning on if that was seen.
    pub(crate) fn with_account(id: u64, sample: KernelSample, account: KernelAccount, keep: Retention) -> Self {
        let mut before = sample.clone();
        let begins = account.opened.is_some();
        if begins {
            // Nothing had been sent, and nothing had come.
            before.time = account.since.min(sample.time);
            let info = &mut before.socket.info;
            for counter in [
                &mut info.bytes_acked,
                &mut info.bytes_received,
                &mut info.bytes_sent,
                &mut info.bytes_retrans,
                &mut info.total_retrans,
                &mut info.segs_out,
                &mut info.segs_in,
                &mut info.data_segs_out,
                &mut info.data_segs_in,
                &mut info.busy_time,
                &mut info.rwnd_limited,
                &mut info.sndbuf_limited,
            ] {
                *counter = Some(0);
            }
            (before.socket.send_queue, before.socket.receive_queue) = (0, 0);
        }
        let mut connection = Self::new(id, before, keep, None);
        connection.has_moved = sample.socket.send_queue + sample.socket.receive_queue > 0;
        connection.instant = InstantLimit::of(account.held, &sample.socket, false);
        let mut base = account.clone();
        if begins {
            base.nanos = [0; HeldBy::ALL.len()];
            (base.slow_reader, base.blocked, base.turns) = (0, account.blocked.map(|_| 0), Default::default());
        }
        connection.is_server = account.opened == Some(Opened::ByPeer);
        connection.began_here = begins;
        connection.account = Some(Box::new(Account::beginning(base, sample.time, connection.first.time)));
        connection.observe(sample, Some(account), None);
        connection
    }

    /// Takes in a newer sample; one that is not newer changes nothing. The time of a connection with an
    /// account is the account's: without `account`, a sample adds only numbers that the account lacks.
    /// `largest`: see [`crate::LiveHost::set_largest_send_buffer`].
    pub(crate) fn observe(&mut self, mut sample: KernelSample, account: Option<KernelAccount>, largest: Option<u64>) {
        if let (Some(known), None) = (&mut self.account, &account) {
            known.seen = known.seen.max(sample.time);
            self.last.socket.info.complete(&sample.socket.info);
            self.last.socket.inode = self.last.socket.inode.or(sample.socket.inode);
            return;
        }
        let nanos = sample.time.since(self.last.time);
        if nanos <= 0 {
            return;
        }
        if account.is_some() {
            sample.socket.info.complete(&self.last.socket.info);
        } else if sample.socket.info == TcpInfo::default() {
            // What is left of a closed socket (`inet_timewait_sock`, in FIN-WAIT-2 too) counts nothing.
            sample.socket.info = counters(&self.last.socket.info);
        }
        // Numbers that are asked for less often stay as they were.
        sample.socket.locks = sample.socket.locks.or(self.last.socket.locks);
        sample.socket.inode = sample.socket.inode.or(self.last.socket.inode);
        self.samples += 1;
        let before = std::mem::replace(&mut self.last, sample);
        let (a, b) = (&before.socket, &self.last.socket);
        let has_sent = grew(a.info.bytes_sent.or(a.info.bytes_acked), b.info.bytes_sent.or(b.info.bytes_acked))
            || b.send_queue > a.send_queue;
        let has_received = received(b) > received(a);
        self.has_turns |= received(b) > 0 && acked(b) > 0 && (has_sent || has_received);
        if has_received {
            self.sending.peer_spoke();
        } else if has_sent {
            self.sending.spoke();
        }
        self.has_moved |= has_sent || has_received || b.send_queue + b.receive_queue > 0;
        let instant = if let Some(account) = &account {
            InstantLimit::of(account.held, b, self.has_turns)
        } else {
            let (bound, time) = (&mut self.bound, self.last.time);
            InstantLimit::at(b, self.has_turns, largest, |by| bound.rule(by, a, b, time))
        };
        if let Some(held) = instant.held
            && !matches!(held, Held::Idle | Held::Rwnd)
        {
            self.usual = Some(instant.cause);
        }
        let instants = [self.instant, instant];
        let mut parts: Vec<Part> = match &account {
            Some(account) => {
                let known = self.account.as_mut().map(|known| (&known.latest.nanos, std::mem::take(&mut known.ahead)));
                accounted(account, known, instants, nanos)
            }
            None => parts(a, b, instants, nanos, has_sent, self.usual).into_iter().flatten().collect(),
        };
        parts.retain(|part| part.nanos > 0);
        let slow_reader = account.as_ref().map(|account| slow_reader(self.account.as_deref(), account, nanos));
        match &account {
            Some(account) => {
                (self.fate.finish, self.fate.unanswered) = (account.finish, account.unanswered);
                self.fate.is_unaccepted = account.is_unaccepted;
            }
            None => self.fate.sample(&before.socket, &self.last.socket, self.is_server),
        }
        if let Some(account) = account {
            self.is_server |= account.opened == Some(Opened::ByPeer);
            self.account = Some(Box::new(Account::after(self.account.as_deref(), account, self.last.time)));
        }
        self.instant = instant;
        let round_trip = b.info.rtt.unwrap_or_default().saturating_mul(MICROSECOND).cast_signed();
        let newly_acked = acked(b).saturating_sub(acked(a));
        self.rates.deliver(b, instant.cause.limit);
        self.rates.share_out(&parts, newly_acked);
        let (a, b) = (&before.socket, &self.last.socket);
        let mut at = before.time;
        let (is_account, has_progress) = (self.account.is_some(), acked(a) != acked(b));
        for part in parts {
            self.thought += if part.cause == Detail::Think.into() { part.nanos } else { 0 };
            at = at.plus(part.nanos);
            // Where something was acknowledged in between, nothing says that the rest of that time was
            // silent.
            let is_stuck = !has_progress && at.since(self.progress) > round_trip;
            let doubt = if is_account { Doubt::of_account } else { Doubt::of_sample };
            self.sending.add(part, doubt(part.cause, is_stuck));
        }
        if acked(a) != acked(b) || b.send_queue == 0 {
            self.progress = self.last.time;
            self.sending.progressed();
        }
        let had_closed = has_peer_closed(&before.socket);
        self.reader.receive(&self.last.socket, before.time, had_closed, has_received, nanos, slow_reader);
        self.rates.measure(&self.last, instant.cause.limit, before.socket.send_queue, nanos);
    }

    pub(crate) fn end(&mut self) {
        self.has_ended = true;
        self.sending.close();
        if let Some(receiving) = &mut self.reader.receiving {
            receiving.close();
        }
    }
}

/// What only grows, and the least round trip.
fn counters(info: &TcpInfo) -> TcpInfo {
    TcpInfo {
        bytes_sent: info.bytes_sent,
        bytes_acked: info.bytes_acked,
        bytes_received: info.bytes_received,
        bytes_retrans: info.bytes_retrans,
        total_retrans: info.total_retrans,
        segs_out: info.segs_out,
        segs_in: info.segs_in,
        data_segs_out: info.data_segs_out,
        data_segs_in: info.data_segs_in,
        busy_time: info.busy_time,
        rwnd_limited: info.rwnd_limited,
        sndbuf_limited: info.sndbuf_limited,
        min_rtt: info.min_rtt,
        ..TcpInfo::default()
    }
}

fn grew(before: Option<u64>, after: Option<u64>) -> bool {
    matches!((before, after), (Some(before), Some(after)) if after > before)
}
