//! Kind of record at the start of a segment's payload.

/// Kind of record at the start of a segment's payload. No other part of the payload is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Record {
    /// Another kind, or not captured.
    #[default]
    Other = 0,
    /// A TLS record of a handshake (RFC 8446 §5.1, type 22).
    Handshake = 1,
    /// A TLS alert (type 21). TLS 1.3 hides most of them (RFC 8446 §6).
    Alert = 2,
    /// Status line of a response: HTTP (RFC 9112 §4), SIP (RFC 3261 §7.2), RTSP (RFC 7826 §8.1).
    StatusLine = 3,
}

impl Record {
    /// Type of a TLS record, and the first byte of every version (RFC 8446 §5.1).
    const HANDSHAKE: u8 = 22;
    const ALERT: u8 = 21;
    const MAJOR: u8 = 3;

    /// The kind that the two lowest bits encode.
    #[inline]
    pub const fn from_bits(bits: u8) -> Self {
        match bits & 0b11 {
            1 => Self::Handshake,
            2 => Self::Alert,
            3 => Self::StatusLine,
            _ => Self::Other,
        }
    }

    /// Kind of record at the start of `payload`.
    #[inline]
    pub fn of(payload: &[u8]) -> Self {
        match payload.first() {
            // Few segments start with one of these bytes.
            Some(&(Self::HANDSHAKE | Self::ALERT | b'H' | b'S' | b'R')) => Self::of_candidate(payload),
            _ => Self::Other,
        }
    }

    #[cold]
    fn of_candidate(payload: &[u8]) -> Self {
        match payload {
            [Self::HANDSHAKE, Self::MAJOR, ..] => Self::Handshake,
            [Self::ALERT, Self::MAJOR, ..] => Self::Alert,
            [b'H', b'T', b'T', b'P', b'/', ..] | [b'S', b'I', b'P', b'/', ..] | [b'R', b'T', b'S', b'P', b'/', ..] => {
                Self::StatusLine
            }
            _ => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_tell_a_record() {
        for (payload, expected) in [
            (&b"\x16\x03\x01\x02"[..], Record::Handshake),
            (b"\x15\x03\x03\x00\x02", Record::Alert),
            (b"\x17\x03\x03\x00\x20", Record::Other),
            (b"\x16\x04", Record::Other),
            (b"HTTP/1.1 200 OK", Record::StatusLine),
            (b"SIP/2.0 180 Ringing", Record::StatusLine),
            (b"RTSP/1.0 200 OK", Record::StatusLine),
            (b"HTTP", Record::Other),
            (b"GET / HTTP/1.1", Record::Other),
            (b"", Record::Other),
        ] {
            assert_eq!(Record::of(payload), expected, "{payload:?}");
        }
    }
}
