//! A request–response conversation between client and server.

use std::num::NonZeroU16;

use tcpwhy_model::{Segment, SeqNum, WindowField};

use crate::packets::{ISN, bare, in_order};

/// Requests and answers, one after the other, captured at the client.
#[derive(Clone, Copy, Debug)]
pub struct Turns {
    /// Number of requests.
    pub count: u32,
    /// Bytes of a request.
    pub request: u32,
    /// Bytes of an answer.
    pub answer: u32,
    /// Round trip, nanoseconds.
    pub rtt: i64,
    /// Time that the server takes to answer, nanoseconds.
    pub think: i64,
    /// Time that the client takes before the next request, nanoseconds.
    pub rest: i64,
    /// Whether the client writes a request in two pieces. Nagle's algorithm then delays the second until the
    /// first is acknowledged, which the server delays by 40 ms.
    pub is_nagled: bool,
}

impl Default for Turns {
    fn default() -> Self {
        Self { count: 100, request: 100, answer: 500, rtt: 20_000_000, think: 0, rest: 0, is_nagled: false }
    }
}

impl Turns {
    /// Packets of the conversation.
    pub fn run(&self) -> Vec<Segment> {
        let mut talk = Talk { segments: Vec::new(), next: [1, 1] };
        talk.syn(0, true);
        talk.syn(self.rtt, false);
        let mut now = self.rtt + 10_000;
        talk.say(now, true, 0);
        for _ in 0..self.count {
            now += 20_000;
            let mut left = self.request;
            if self.is_nagled {
                talk.say(now, true, self.request / 2);
                left -= self.request / 2;
                now += self.rtt + 40_000_000;
                talk.say(now, false, 0);
                now += 20_000;
            }
            talk.say(now, true, left);
            now += self.rtt + self.think;
            talk.say(now, false, self.answer);
            now += 10_000;
            talk.say(now, true, 0);
            now += self.rest;
        }
        talk.end(now + 10_000, true);
        talk.end(now + 10_000 + self.rtt, false);
        talk.say(now + 20_000 + self.rtt, true, 0);
        in_order(talk.segments)
    }
}

struct Talk {
    segments: Vec<Segment>,
    next: [u32; 2],
}

impl Talk {
    fn syn(&mut self, time: i64, is_client: bool) {
        let mut s = bare(time, is_client, if is_client { "S" } else { "S." });
        s.seq = SeqNum(ISN[usize::from(!is_client)]);
        s.ack = SeqNum(if is_client { 0 } else { ISN[0].wrapping_add(1) });
        s.options.mss = NonZeroU16::new(1460);
        s.options.window_scale = Some(7);
        s.options.sack_permitted = true;
        self.segments.push(s);
    }

    fn say(&mut self, time: i64, is_client: bool, len: u32) {
        let (me, peer) = (usize::from(!is_client), usize::from(is_client));
        let mut s = bare(time, is_client, if len > 0 { "P." } else { "." });
        s.seq = SeqNum(ISN[me].wrapping_add(self.next[me]));
        s.ack = SeqNum(ISN[peer].wrapping_add(self.next[peer]));
        s.window = WindowField(512);
        s.payload_len = len;
        self.next[me] += len;
        self.segments.push(s);
    }

    fn end(&mut self, time: i64, is_client: bool) {
        self.say(time, is_client, 0);
        if let Some(s) = self.segments.last_mut() {
            s.flags = crate::flags("F.");
            self.next[usize::from(!is_client)] += 1;
        }
    }
}
