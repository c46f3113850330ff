//! The handshake of one connection in two captures: options that a device between them changed, and packets
//! that are missing.

use std::num::NonZeroU16;

use tcpwhy_model::{Segment, TcpFlags, TcpOptions, Timestamp};

/// The SYNs or SYN-ACKs of a connection, as they passed a capture point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SynSeen {
    /// Time of the first packet.
    pub first: Timestamp,
    /// Number of packets.
    pub count: u32,
    /// Options of the first packet.
    pub options: SynOptions,
    /// Hop limit (TTL) of the first packet; 0 if unknown.
    pub hop_limit: u8,
}

/// The options of a SYN that limit a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SynOptions {
    /// Maximum segment size: the largest payload that the other end may send in a segment.
    pub mss: Option<NonZeroU16>,
    /// Shift of the window scale.
    pub window_scale: Option<u8>,
    /// Whether SACK is permitted.
    pub has_sack: bool,
    /// Whether it has timestamps.
    pub has_timestamps: bool,
}

/// One of these options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SynOption {
    /// Maximum segment size.
    Mss,
    /// Window scale.
    WindowScale,
    /// SACK permitted.
    Sack,
    /// Timestamps.
    Timestamps,
}

impl SynOption {
    /// All options.
    pub const ALL: [Self; 4] = [Self::Mss, Self::WindowScale, Self::Sack, Self::Timestamps];

    /// Stable id in `snake_case`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Mss => "mss",
            Self::WindowScale => "window_scale",
            Self::Sack => "sack",
            Self::Timestamps => "timestamps",
        }
    }
}

impl SynOptions {
    const fn of(options: &TcpOptions) -> Self {
        Self {
            mss: options.mss,
            window_scale: options.window_scale,
            has_sack: options.sack_permitted,
            has_timestamps: options.timestamps.is_some(),
        }
    }

    /// Returns the value of `option`: a size, a shift, or 1 if it is present; `None` without it.
    pub fn value(&self, option: SynOption) -> Option<u32> {
        match option {
            SynOption::Mss => self.mss.map(|mss| mss.get().into()),
            SynOption::WindowScale => self.window_scale.map(u32::from),
            SynOption::Sack => self.has_sack.then_some(1),
            SynOption::Timestamps => self.has_timestamps.then_some(1),
        }
    }
}

/// A handshake at one capture point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeenHandshake {
    /// The client's SYN, and the server's SYN-ACK.
    pub syns: [Option<SynSeen>; 2],
    /// Whether the client acknowledged the SYN-ACK.
    pub is_acknowledged: bool,
    /// Whether the server reset the connection before.
    pub is_refused: bool,
}

impl SeenHandshake {
    /// Counts a packet of `side` (0: the client).
    pub(super) fn note(&mut self, segment: &Segment, side: usize) {
        if segment.flags.contains(TcpFlags::SYN) {
            let is_answer = segment.flags.contains(TcpFlags::ACK);
            if is_answer == (side == 1) {
                self.note_syn(segment, side);
            }
        } else if segment.flags.contains(TcpFlags::RST) {
            self.is_refused |= side == 1 && self.syns[1].is_none();
        } else if side == 0 && segment.flags.contains(TcpFlags::ACK) {
            self.is_acknowledged = true;
        }
    }

    fn note_syn(&mut self, segment: &Segment, side: usize) {
        match &mut self.syns[side] {
            Some(seen) => seen.count += 1,
            seen @ None => {
                let options = SynOptions::of(&segment.options);
                let (first, hop_limit) = (segment.timestamp, segment.ip.hop_limit);
                *seen = Some(SynSeen { first, count: 1, options, hop_limit });
            }
        }
    }
}

/// The handshakes of one connection at two places, the first capture's first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BothHandshakes(pub [SeenHandshake; 2]);

impl BothHandshakes {
    /// Returns the values of `option` in the two captures, for the SYN (0) or the SYN-ACK (1); `None` if a
    /// capture lacks the packet.
    pub fn values(&self, side: usize, option: SynOption) -> Option<[Option<u32>; 2]> {
        let [a, b] = self.0.map(|opening| opening.syns[side]);
        Some([a?, b?].map(|seen| seen.options.value(option)))
    }

    /// Whether a device between the captures changed `option` of the SYN, and of the SYN-ACK.
    pub fn changed(&self, option: SynOption) -> [bool; 2] {
        [0, 1].map(|side| self.values(side, option).is_some_and(|[a, b]| a != b))
    }

    /// Whether a device between the captures changed any option.
    pub fn is_changed(&self) -> bool {
        SynOption::ALL.into_iter().any(|option| self.changed(option) != [false; 2])
    }

    /// Returns the sender whose large segments are not limited, although those of the other direction are (0:
    /// the client). The MSS of a SYN limits the segments of its receiver.
    pub fn unclamped_sender(&self) -> Option<usize> {
        match self.changed(SynOption::Mss) {
            [true, false] if self.values(1, SynOption::Mss).is_some() => Some(0),
            [false, true] if self.values(0, SynOption::Mss).is_some() => Some(1),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Ecn, Endpoint, IpHeader, SeqNum, TcpTimestamps, WindowField};

    use super::*;

    const SYN: TcpFlags = TcpFlags::SYN;
    const ACK: TcpFlags = TcpFlags::ACK;

    fn packet(time: i64, flags: TcpFlags, options: TcpOptions) -> Segment {
        let end = |host| Endpoint { address: [10, 0, 0, host].into(), port: 80 };
        Segment {
            number: 1,
            timestamp: Timestamp::from_nanos(time),
            source: end(1),
            destination: end(2),
            seq: SeqNum(1),
            ack: SeqNum(0),
            flags,
            window: WindowField(0),
            payload_len: 0,
            options,
            ip: IpHeader::new(None, 62, Ecn::NotCapable),
        }
    }

    fn opening(packets: &[(usize, TcpFlags)]) -> SeenHandshake {
        let mut opening = SeenHandshake::default();
        for (time, &(side, flags)) in packets.iter().enumerate() {
            opening.note(&packet(time as i64, flags, TcpOptions::default()), side);
        }
        opening
    }

    fn with_mss(mss: [u16; 2]) -> SeenHandshake {
        let mut opening = SeenHandshake::default();
        for (side, mss) in mss.into_iter().enumerate().filter(|(_, mss)| *mss > 0) {
            let flags = if side == 0 { SYN } else { SYN.union(ACK) };
            opening.note(&packet(0, flags, TcpOptions { mss: NonZeroU16::new(mss), ..TcpOptions::default() }), side);
        }
        opening
    }

    #[test]
    fn what_is_noted_of_a_handshake() {
        let mut one = SeenHandshake::default();
        let mss = NonZeroU16::new(1460);
        let timestamps = Some(TcpTimestamps { value: 1, echo_reply: 0 });
        let options =
            TcpOptions { mss, window_scale: Some(7), sack_permitted: true, timestamps, ..TcpOptions::default() };
        one.note(&packet(5, SYN, options), 0);
        one.note(&packet(6, SYN, TcpOptions::default()), 0);
        let seen = one.syns[0].unwrap();
        assert_eq!((seen.first.as_nanos(), seen.count, seen.hop_limit), (5, 2, 62));
        let values = SynOption::ALL.map(|option| seen.options.value(option));
        assert_eq!(values, [Some(1460), Some(7), Some(1), Some(1)], "those of the first");
        let none = SynOption::ALL.map(|option| SynOptions::default().value(option));
        assert_eq!(none, [None; 4]);
        assert_eq!(opening(&[(0, SYN.union(ACK)), (1, SYN)]), SeenHandshake::default(), "who answers is no client");
        for (what, packets, acknowledged, refused) in [
            ("a SYN", &[(0, SYN)][..], false, false),
            ("an ACK of the client", &[(0, SYN), (1, SYN.union(ACK)), (0, ACK)], true, false),
            ("an ACK of the server", &[(0, SYN), (1, SYN.union(ACK)), (1, ACK)], false, false),
            ("a reset of the server", &[(0, SYN), (1, ACK.union(TcpFlags::RST))], false, true),
            ("after the SYN-ACK", &[(0, SYN), (1, SYN.union(ACK)), (1, TcpFlags::RST)], false, false),
            ("a reset of the client", &[(0, SYN), (0, ACK.union(TcpFlags::RST))], false, false),
        ] {
            let found = opening(packets);
            assert_eq!((found.is_acknowledged, found.is_refused), (acknowledged, refused), "{what}");
        }
    }

    #[test]
    fn the_mss_is_clamped_one_way() {
        for (what, a, b, changed, unclamped) in [
            ("of the SYN alone", [1460, 1460], [1240, 1460], [true, false], Some(0)),
            ("of the SYN-ACK alone", [1460, 1460], [1460, 1240], [false, true], Some(1)),
            ("both", [1460, 1460], [1240, 1240], [true, true], None),
            ("none", [1460, 1460], [1460, 1460], [false, false], None),
            ("a capture without the SYN-ACK", [1460, 1460], [1240, 0], [true, false], None),
            ("a capture without the SYN", [1460, 1460], [0, 1240], [false, true], None),
        ] {
            let openings = BothHandshakes([a, b].map(with_mss));
            assert_eq!((openings.changed(SynOption::Mss), openings.unclamped_sender()), (changed, unclamped), "{what}");
        }
        let same = BothHandshakes([with_mss([1460, 1460]); 2]);
        assert_eq!((same.changed(SynOption::Sack), same.is_changed()), ([false; 2], false));
        let mut other = with_mss([1460, 1460]);
        other.syns[1] = other.syns[1].map(|mut seen| {
            seen.options.has_sack = true;
            seen
        });
        let changed = BothHandshakes([same.0[0], other]);
        assert_eq!((changed.changed(SynOption::Sack), changed.is_changed()), ([false, true], true));
    }
}
