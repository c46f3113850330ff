use std::num::NonZeroU16;

use tcpwhy_model::{Ecn, IpHeader, Segment, SeqNum, TcpFlags, TcpTimestamps, WindowField};

use super::packet::{Ack, Data};
use super::{Capture, Transfer};
use crate::alter;
use crate::packets::{ISN, bare, in_order};

/// Bytes of the request that a download answers.
const REQUEST: u32 = 200;

/// Records the packets that the capture sees.
pub(super) struct Trace {
    segments: Vec<Segment>,
    capture: Capture,
    rtt: i64,
    shift: u8,
    mss: u16,
    has_timestamps: bool,
    has_sack: bool,
    has_scale: bool,
    is_download: bool,
    syn_repeats: u32,
    offload: Option<u32>,
    has_ecn: bool,
    identification: u16,
    /// Bytes of the receiver's grants.
    said: u64,
}

impl Trace {
    pub(super) fn new(t: &Transfer) -> Self {
        Self {
            segments: Vec::new(),
            capture: t.capture,
            rtt: t.rtt,
            shift: t.window_scale.unwrap_or(0),
            mss: (t.mss + if t.has_timestamps { 12 } else { 0 }) as u16,
            has_timestamps: t.has_timestamps,
            has_sack: t.has_sack,
            has_scale: t.window_scale.is_some(),
            is_download: t.is_download,
            syn_repeats: t.syn_repeats,
            offload: t.offload,
            has_ecn: t.marked_every.is_some(),
            identification: 0,
            said: 0,
        }
    }

    /// Millisecond clock of both hosts.
    pub(super) fn tick(nanos: i64) -> u32 {
        (nanos / 1_000_000) as u32 + 1000
    }

    /// Runs the handshake, and the request of a download; returns when the data may begin.
    pub(super) fn open(&mut self, edge: u64) -> i64 {
        let half = self.rtt / 2;
        for i in 0..self.syn_repeats {
            self.handshake(i64::from(i) * 1_000_000_000, half, true, "S", None);
        }
        let syn = i64::from(self.syn_repeats) * 1_000_000_000;
        self.handshake(syn, half, true, "S", None);
        self.handshake(syn + half, half, false, "S.", Some(edge));
        let established = syn + 2 * half + 10_000;
        self.handshake(established, half, true, ".", Some(edge));
        if !self.is_download {
            return established + 100_000;
        }
        let request = established + 50_000;
        let mut segment = bare(self.seen(false, request, request + half), true, "P.");
        segment.seq = SeqNum(ISN[0].wrapping_add(1));
        segment.ack = SeqNum(ISN[1].wrapping_add(1));
        segment.payload_len = REQUEST;
        segment.window = self.window(edge - 1);
        self.stamp(&mut segment, request, Self::tick(syn + half));
        self.push(segment);
        request + half + 500_000
    }

    fn handshake(&mut self, sent: i64, half: i64, by_client: bool, letters: &str, edge: Option<u64>) {
        let is_from_sender = by_client != self.is_download;
        let mut segment = bare(self.seen(is_from_sender, sent, sent + half), by_client, letters);
        let (mine, theirs) = if by_client { (ISN[0], ISN[1]) } else { (ISN[1], ISN[0]) };
        let is_syn = letters.starts_with('S');
        segment.seq = SeqNum(mine.wrapping_add(u32::from(!is_syn)));
        if letters.contains('.') {
            segment.ack = SeqNum(theirs.wrapping_add(1));
        }
        let room = edge.map_or(65_535, |e| e - 1);
        segment.window = if is_syn { WindowField(room.min(65_535) as u16) } else { self.window(room) };
        if is_syn {
            segment.options.mss = NonZeroU16::new(self.mss);
            segment.options.window_scale = self.has_scale.then_some(self.shift);
            segment.options.sack_permitted = self.has_sack;
            if self.has_ecn {
                let offer = if by_client { TcpFlags::ECE.union(TcpFlags::CWR) } else { TcpFlags::ECE };
                segment.flags = segment.flags.union(offer);
            }
        }
        self.stamp(&mut segment, sent, if letters == "S" { 0 } else { Self::tick(sent - half) });
        self.push(segment);
    }

    pub(super) fn data(&mut self, sent: i64, arrival: Option<i64>, transit: i64, data: &Data, echo: u32) {
        if arrival.is_none() && data.len > 0 && self.capture == Capture::Receiver {
            return;
        }
        let time = self.seen(true, sent, arrival.unwrap_or(sent + transit));
        let mut segment = bare(time, !self.is_download, if data.len > 0 { "P." } else { "." });
        segment.seq = self.offset(true, data.seq);
        segment.ack = self.offset(false, self.peer_start() + data.heard);
        segment.payload_len = data.len;
        if self.has_ecn {
            let is_marked = data.is_marked && self.capture != Capture::Sender;
            let ecn = if is_marked { Ecn::CongestionExperienced } else { Ecn::Capable0 };
            segment.ip = IpHeader::new(segment.ip.identification, segment.ip.hop_limit, ecn);
        }
        if data.is_cut {
            segment.flags = segment.flags.union(TcpFlags::CWR);
        }
        self.stamp(&mut segment, sent, if echo == 0 { Self::tick(0) } else { echo });
        self.push(segment);
    }

    pub(super) fn ack(&mut self, sent: i64, arrival: i64, ack: &Ack, echo: u32) {
        let mut segment = bare(self.seen(false, sent, arrival), self.is_download, ".");
        segment.seq = self.offset(false, self.peer_next());
        segment.payload_len = (ack.said - self.said) as u32;
        self.said = ack.said;
        segment.ack = self.offset(true, ack.next);
        segment.window = self.window(ack.edge.saturating_sub(ack.next));
        if ack.has_echo {
            segment.flags = segment.flags.union(TcpFlags::ECE);
        }
        for &(left, right) in ack.blocks.iter().filter(|b| b.1 > b.0) {
            segment.options.sack.push(self.offset(true, left), self.offset(true, right));
        }
        self.stamp(&mut segment, sent, echo);
        self.push(segment);
    }

    /// Both sides send FIN.
    pub(super) fn close(&mut self, now: i64, next: u64, edge: u64) {
        let half = self.rtt / 2;
        for (i, by_sender) in [true, false, true].into_iter().enumerate() {
            let sent = now + 50_000 + i as i64 * (half + 20_000);
            let letters = if i < 2 { "F." } else { "." };
            let mut segment = bare(self.seen(by_sender, sent, sent + half), by_sender != self.is_download, letters);
            let past = u64::from(i == 2);
            segment.seq = if by_sender { self.offset(true, next + past) } else { self.offset(false, self.peer_next()) };
            segment.ack =
                if by_sender { self.offset(false, self.peer_next() + past) } else { self.offset(true, next + 1) };
            segment.window = self.window(edge.saturating_sub(next));
            self.stamp(&mut segment, sent, Self::tick(sent - half));
            self.push(segment);
        }
    }

    pub(super) fn finish(self) -> Vec<Segment> {
        let all = in_order(self.segments);
        match self.offload {
            Some(most) => {
                in_order(alter::merged(&all, most, if self.capture == Capture::Sender { 0 } else { 100_000 }))
            }
            None => all,
        }
    }

    /// Sequence number of the data's receiver in its own stream.
    fn peer_next(&self) -> u64 {
        self.peer_start() + self.said
    }

    /// Its sequence number before its first grant.
    fn peer_start(&self) -> u64 {
        if self.is_download { u64::from(REQUEST) + 1 } else { 1 }
    }

    fn offset(&self, of_sender: bool, offset: u64) -> SeqNum {
        let isn = ISN[usize::from(of_sender == self.is_download)];
        SeqNum(isn.wrapping_add(offset as u32))
    }

    fn seen(&self, by_sender: bool, sent: i64, arrival: i64) -> i64 {
        match (self.capture, by_sender) {
            (Capture::Sender, true) | (Capture::Receiver, false) => sent,
            (Capture::Sender, false) | (Capture::Receiver, true) => arrival,
            (Capture::Middle, true) => arrival - self.rtt / 4,
            (Capture::Middle, false) => arrival - (arrival - sent) / 2,
        }
    }

    fn window(&self, bytes: u64) -> WindowField {
        WindowField((bytes >> self.shift).min(65_535) as u16)
    }

    fn stamp(&self, segment: &mut Segment, sent: i64, echo: u32) {
        if self.has_timestamps {
            segment.options.timestamps = Some(TcpTimestamps { value: Self::tick(sent), echo_reply: echo });
        }
    }

    fn push(&mut self, mut segment: Segment) {
        self.identification = self.identification.wrapping_add(1).max(1);
        segment.ip.identification = NonZeroU16::new(self.identification);
        self.segments.push(segment);
    }
}
