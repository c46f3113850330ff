//! Packets of one connection in orders that cost an analysis the most: legal, but made to fill its memory.

use tcpwhy_model::{SackBlocks, Segment, SeqNum, TcpTimestamps, WindowField};

use crate::packets::{ISN, bare};

const LEN: u32 = 1000;

/// An order of packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Data alternately far above and far below, so that one huge hole is cut into ever more pieces.
    Alternating,
    /// Data at random positions.
    Random,
    /// Data in descending order.
    Descending,
    /// Every other segment, then the missing ones in descending order.
    EveryOther,
    /// SACK blocks at random positions.
    SackChurn,
    /// Acknowledgments that go back and forth, with SACK blocks.
    AcksBack,
    /// Random timestamps.
    StampsBack,
    /// Acknowledgments whose timestamps no data echoes, captured at the receiver.
    NeverEchoed,
    /// A window that alternates between zero and open with every acknowledgment.
    WindowFlap,
    /// One byte per segment.
    Tiny,
    /// The same few segments repeatedly.
    Duplicates,
    /// Round trips, windows and bytes in flight of every size, each smaller than all before.
    WideValues,
    /// A loss, its repair and the report that it was needless, repeatedly.
    Recoveries,
    /// Acknowledgments of data that the capture lacks, before and after data that it contains.
    Unseen,
}

impl Order {
    /// All orders.
    pub const ALL: [Self; 14] = [
        Self::Alternating,
        Self::Random,
        Self::Descending,
        Self::EveryOther,
        Self::SackChurn,
        Self::AcksBack,
        Self::StampsBack,
        Self::NeverEchoed,
        Self::WindowFlap,
        Self::Tiny,
        Self::Duplicates,
        Self::WideValues,
        Self::Recoveries,
        Self::Unseen,
    ];

    /// A handshake and about `count` packets; the seed decides the random parts.
    pub fn segments(self, count: u32, seed: u64) -> Vec<Segment> {
        let mut talk = Talk::new(seed);
        match self {
            Self::Alternating => {
                for i in 0..count {
                    talk.data(if i % 2 == 0 { i * 50 + 1 } else { (1 << 28) + i * 50 }, 20);
                }
            }
            Self::Random => {
                for _ in 0..count {
                    let at = talk.below(1 << 29);
                    talk.data(at, LEN);
                }
            }
            Self::Descending => (0..count).rev().for_each(|i| talk.data(i * 50 + 1, 20)),
            Self::EveryOther => {
                for flight in 0..count / 1000 {
                    let base = flight * 1000 * LEN + 1;
                    (0..500).for_each(|i| talk.data(base + (2 * i + 1) * LEN, LEN));
                    (0..500).rev().for_each(|i| talk.data(base + 2 * i * LEN, LEN));
                    talk.acknowledge(base + 1000 * LEN, 2000, &[]);
                }
            }
            Self::SackChurn => {
                for i in 0..count {
                    if i % 64 == 0 {
                        talk.data((i + 64) * LEN, LEN);
                    }
                    let blocks = [0; 4].map(|_| {
                        let at = (talk.below(i + 64) + 1) * LEN;
                        (at, at + LEN / 2)
                    });
                    talk.acknowledge(2, 60_000, &blocks);
                }
            }
            Self::AcksBack => {
                for i in 0..count / 4 {
                    let at = i * LEN + 1;
                    talk.data(at, LEN);
                    let back = i.saturating_sub(talk.below(1000)) * LEN + 1;
                    talk.acknowledge(back, 60_000, &[]);
                    talk.acknowledge(at, 60_000, &[(at + 500, at + 600)]);
                    talk.acknowledge(back / 2, 100, &[(back, back + 300)]);
                }
            }
            Self::StampsBack => {
                for i in 0..count / 2 {
                    talk.shuffle_stamps();
                    talk.data(i * LEN + 1, LEN);
                    talk.shuffle_stamps();
                    talk.acknowledge(i.saturating_sub(50) * LEN + 1, 60_000, &[]);
                }
            }
            Self::NeverEchoed => {
                for i in 0..count / 2 {
                    talk.data(i * LEN + 1, LEN);
                    talk.stamps[0] = 1000 + i;
                    talk.echoes[1] = 7;
                    talk.acknowledge((i + 1) * LEN + 1, 60_000 - (i % 7) as u16, &[]);
                }
            }
            Self::WindowFlap => {
                for i in 0..count / 3 {
                    talk.data(i * LEN + 1, LEN);
                    talk.acknowledge((i + 1) * LEN + 1, 0, &[]);
                    let window = talk.below(60_000) as u16 + 1;
                    talk.acknowledge((i + 1) * LEN + 1, window, &[]);
                }
            }
            Self::Tiny => (0..count).for_each(|i| talk.data(i + 1, 1)),
            Self::Duplicates => (0..count).for_each(|i| talk.data(1 + i % 3 * LEN, LEN)),
            Self::WideValues => {
                for i in 0..count / 2 {
                    let left = 1.0 - f64::from(i) / f64::from(count / 2);
                    talk.data(i * LEN + 1, LEN);
                    talk.pause = (10.0 * 2e9_f64.powf(left)) as i64;
                    talk.acknowledge((i + 1) * LEN + 1, 60_000.0_f64.powf(left) as u16, &[]);
                    talk.pause = Talk::PAUSE;
                }
            }
            Self::Recoveries => {
                for i in 0..count / 6 {
                    let at = i * 2 * LEN + 1;
                    talk.pause = Talk::PAUSE * (1 + i64::from(i % 5) * 100);
                    talk.data(at, LEN);
                    talk.data(at + LEN, LEN);
                    talk.acknowledge(at, 60_000, &[(at + LEN, at + 2 * LEN)]);
                    talk.data(at, LEN);
                    talk.acknowledge(at + 2 * LEN, 60_000, &[]);
                    talk.acknowledge(at + 2 * LEN, 60_000, &[(at, at + LEN)]);
                }
            }
            Self::Unseen => {
                for i in 0..count / 2 {
                    let at = i * 3 * LEN + 1;
                    talk.data(at, LEN);
                    let beyond = talk.below(2);
                    talk.acknowledge(at + (2 + beyond) * LEN, 60_000, &[]);
                }
            }
        }
        talk.segments
    }
}

/// One connection, packet by packet; the server sends the data.
struct Talk {
    segments: Vec<Segment>,
    now: i64,
    pause: i64,
    /// Timestamps of client and server, and the ones that they echo.
    stamps: [u32; 2],
    echoes: [u32; 2],
    random: u64,
}

impl Talk {
    const PAUSE: i64 = 10_000;

    /// Starts with a handshake over a path of 20 ms, captured half way.
    fn new(seed: u64) -> Self {
        let mut talk = Self {
            segments: Vec::new(),
            now: 0,
            pause: 10_000_000,
            stamps: [1000; 2],
            echoes: [1000; 2],
            random: seed,
        };
        for (is_client, letters) in [(true, "S"), (false, "S."), (true, ".")] {
            let is_syn = letters.starts_with('S');
            let (seq, ack) = (u32::from(!is_syn), u32::from(letters.ends_with('.')));
            talk.send(is_client, letters, (seq, ack), 0, 60_000, &[]);
        }
        for syn in &mut talk.segments[..2] {
            syn.options.window_scale = Some(8);
            syn.options.sack_permitted = true;
        }
        talk.pause = Self::PAUSE;
        talk
    }

    fn data(&mut self, at: u32, len: u32) {
        self.send(false, "P.", (at, 1), len, 60_000, &[]);
    }

    fn acknowledge(&mut self, ack: u32, window: u16, sack: &[(u32, u32)]) {
        self.send(true, ".", (1, ack), 0, window, sack);
    }

    fn send(
        &mut self,
        is_client: bool,
        letters: &str,
        (seq, ack): (u32, u32),
        len: u32,
        window: u16,
        sack: &[(u32, u32)],
    ) {
        let (me, peer) = if is_client { (0, 1) } else { (1, 0) };
        let mut segment = bare(self.now, is_client, letters);
        segment.number = self.segments.len() as u64 + 1;
        segment.seq = SeqNum(ISN[me]).plus(seq);
        segment.ack = SeqNum(if letters.contains('.') { ISN[peer].wrapping_add(ack) } else { 0 });
        segment.window = WindowField(window);
        segment.payload_len = len;
        segment.options.timestamps = Some(TcpTimestamps { value: self.stamps[me], echo_reply: self.echoes[me] });
        let mut blocks = SackBlocks::default();
        for &(l, r) in sack {
            blocks.push(SeqNum(ISN[peer]).plus(l), SeqNum(ISN[peer]).plus(r));
        }
        segment.options.sack = blocks;
        self.segments.push(segment);
        self.now += self.pause;
    }

    fn shuffle_stamps(&mut self) {
        self.stamps = [self.below(u32::MAX), self.below(u32::MAX)];
        self.echoes = [self.below(u32::MAX), self.below(u32::MAX)];
    }

    /// A random number below `end` (splitmix64).
    fn below(&mut self, end: u32) -> u32 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % u64::from(end.max(1))) as u32
    }
}
