use tcpwhy_model::host::BufferLocks;
use tcpwhy_model::live::{Process, SocketKey};
use tcpwhy_model::{Explained, Message, Timestamp};

use super::{BEGIN, HEADER, ORDER, RECORD_HEADER, Record, RecordedEffort, RecordedHost, RecordedSample, kind};

/// Why a list cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadList {
    /// It begins with other bytes, or has another version.
    #[error("unknown format or version")]
    Unknown,
    /// It comes from a machine with the other byte order.
    #[error("from a machine with the other byte order")]
    OtherOrder,
}

impl Explained for BadList {
    fn message(&self) -> Message {
        Message::new(match self {
            Self::Unknown => "recording-unknown-form",
            Self::OtherOrder => "recording-other-order",
        })
    }
}

/// The records of a list, one after the other.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    rest: &'a [u8],
    unknown: u64,
    is_damaged: bool,
}

impl<'a> Records<'a> {
    /// The records of `list`.
    ///
    /// # Errors
    /// If it is not a list, or its byte order is not that of this machine.
    pub fn of(list: &'a [u8]) -> Result<Self, BadList> {
        let (header, rest) = list.split_at_checked(HEADER).ok_or(BadList::Unknown)?;
        let order = header.strip_prefix(&BEGIN).ok_or(BadList::Unknown)?;
        match order {
            _ if order == ORDER.to_ne_bytes() => Ok(Self { rest, unknown: 0, is_damaged: false }),
            _ if order == ORDER.swap_bytes().to_ne_bytes() => Err(BadList::OtherOrder),
            _ => Err(BadList::Unknown),
        }
    }

    /// Number of records so far whose type is unknown.
    pub fn unknown(&self) -> u64 {
        self.unknown
    }

    /// Whether a record so far was shorter than its fields, or longer than the rest of the list.
    pub fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    /// Type and body of the next record.
    fn split(&mut self) -> Option<(u16, &'a [u8])> {
        let mut fields = Fields(self.rest);
        let (kind, _, len) = (fields.u16()?, fields.u16()?, fields.u32()?);
        let body = fields.0.get(..len as usize)?;
        self.rest = self.rest.get(RECORD_HEADER + body.len()..)?;
        Some((kind, body))
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        while !self.rest.is_empty() {
            let Some((kind, body)) = self.split() else {
                self.is_damaged = true;
                self.rest = &[];
                return None;
            };
            match decode(kind, Fields(body)) {
                Some(Decoded::Known(record)) => return Some(record),
                Some(Decoded::Unknown) => self.unknown += 1,
                None => self.is_damaged = true,
            }
        }
        None
    }
}

enum Decoded<'a> {
    Known(Record<'a>),
    Unknown,
}

/// Decodes a record; `None` if it is shorter than its fields.
fn decode(kind: u16, mut fields: Fields<'_>) -> Option<Decoded<'_>> {
    Some(Decoded::Known(match kind {
        kind::HOST => Record::Host(RecordedHost {
            began: fields.time()?,
            name: fields.text()?,
            kernel_release: fields.text()?,
            settings: fields.text()?,
        }),
        kind::SAMPLE => {
            Record::Sample(RecordedSample { time: fields.time()?, namespace: fields.u64()?, message: fields.0 })
        }
        kind::PROCESS => {
            Record::Process(fields.key()?, Process { pid: fields.u32()?, name: fields.text()?, cgroup: fields.text() })
        }
        kind::LOCKS => Record::Locks(fields.key()?, BufferLocks::from_bits(fields.u32()?)),
        kind::ASKED => Record::Asked(fields.u64()?, fields.time()?),
        kind::GONE => Record::Gone(fields.key()?),
        kind::EFFORT => Record::Effort(RecordedEffort {
            time: fields.u64()?,
            cpu: fields.u64()?,
            budget: f64::from_bits(fields.u64()?),
            samples: fields.u64()?,
            dumps: fields.u64()?,
            namespaces: fields.u64()?,
            packets: fields.u64()?,
            drops: fields.u64()?,
            blind: fields.text()?.split_whitespace().map(str::to_owned).collect(),
        }),
        _ => return Some(Decoded::Unknown),
    }))
}

/// The part of a record that is not decoded yet.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn time(&mut self) -> Option<Timestamp> {
        self.array().map(i64::from_le_bytes).map(Timestamp::from_nanos)
    }

    fn key(&mut self) -> Option<SocketKey> {
        Some(SocketKey { namespace: self.u64()?, cookie: self.u64()? })
    }

    /// A text. A process may choose any bytes as its name, so invalid UTF-8 is replaced.
    fn text(&mut self) -> Option<String> {
        let len = self.u32()? as usize;
        let (text, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(String::from_utf8_lossy(text).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::recording::ListWriter;

    const KEY: SocketKey = SocketKey { namespace: 4_026_531_840, cookie: 77 };

    fn records() -> Vec<Record<'static>> {
        let time = Timestamp::from_nanos(1_795_229_472_193_709_021);
        vec![
            Record::Host(RecordedHost {
                began: time,
                name: "db-7".into(),
                kernel_release: "6.18.0".into(),
                settings: "net.ipv4.tcp_rmem = 4096\t131072\t6291456\n".into(),
            }),
            Record::Sample(RecordedSample { time, namespace: 3, message: &[2, 1, 0, 0] }),
            Record::Process(KEY, Process { pid: 812, name: "mysqld".into(), cgroup: Some("/system.slice".into()) }),
            Record::Process(KEY, Process { pid: 1, name: "数据".into(), cgroup: None }),
            Record::Locks(KEY, BufferLocks { send: true, receive: false }),
            Record::Asked(3, time),
            Record::Gone(KEY),
            Record::Effort(RecordedEffort {
                time: 5,
                budget: 0.01,
                drops: 7,
                blind: vec!["names".into(), "no-accounts".into()],
                ..RecordedEffort::default()
            }),
        ]
    }

    fn list(records: &[Record<'_>]) -> Vec<u8> {
        let mut out = ListWriter::default();
        assert!(out.is_empty());
        for record in records {
            match record {
                Record::Host(host) => out.host(host),
                Record::Sample(sample) => out.sample(*sample),
                Record::Process(key, process) => out.process(*key, process),
                Record::Locks(key, locks) => out.locks(*key, *locks),
                Record::Asked(namespace, began) => out.asked(*namespace, *began),
                Record::Gone(key) => out.gone(*key),
                Record::Effort(effort) => out.effort(effort),
            }
        }
        let bytes = out.take();
        assert!(out.is_empty() && !bytes.is_empty());
        bytes
    }

    #[test]
    fn what_is_written_reads_back() {
        let all = records();
        assert_eq!(Records::of(&list(&all)).unwrap().collect::<Vec<_>>(), all);
    }

    #[test]
    fn what_a_newer_version_writes_is_passed_over() {
        let mut bytes = list(&[]);
        bytes.extend([200, 0, 0, 0, 3, 0, 0, 0, 1, 2, 3]);
        // A known record with one field more at its end.
        let mut gone = list(&[Record::Gone(KEY)]).split_off(HEADER);
        gone[4] += 5;
        bytes.extend(gone);
        bytes.extend([9; 5]);
        bytes.extend(list(&[Record::Asked(1, Timestamp::ZERO)]).split_off(HEADER));
        let mut read = Records::of(&bytes).unwrap();
        let all: Vec<_> = read.by_ref().collect();
        assert_eq!(all, [Record::Gone(KEY), Record::Asked(1, Timestamp::ZERO)]);
        assert_eq!((read.unknown(), read.is_damaged()), (1, false));
    }

    #[test]
    fn a_list_that_ends_early_gives_what_there_is() {
        let (all, bytes) = (records(), list(&records()));
        for len in HEADER..bytes.len() {
            let mut read = Records::of(&bytes[..len]).unwrap();
            let some: Vec<_> = read.by_ref().collect();
            assert_eq!(some, all[..some.len()]);
        }
    }

    #[test]
    fn what_no_kernel_says_is_no_sample() {
        // An established connection: `tcp_info` with bytes acknowledged (at 120) and busy microseconds (at
        // 168).
        let message = |acked: u64, busy: u64| {
            let mut message = vec![2, 1];
            message.resize(72, 0);
            message.extend(252_u16.to_ne_bytes());
            message.extend(2_u16.to_ne_bytes());
            message.resize(72 + 252, 0);
            message[76 + 120..76 + 128].copy_from_slice(&acked.to_ne_bytes());
            message[76 + 168..76 + 176].copy_from_slice(&busy.to_ne_bytes());
            message
        };
        let is_sample = |nanos: i64, acked: u64, busy: u64| {
            let message = message(acked, busy);
            let time = Timestamp::from_nanos(nanos);
            RecordedSample { time, namespace: 1, message: &message }.decode().is_some()
        };
        assert!(is_sample(1_795_229_472_193_709_021, 1 << 50, 1 << 40) && is_sample(0, 0, 0));
        assert!(!is_sample(-1, 0, 0) && !is_sample(i64::MAX, 0, 0));
        assert!(!is_sample(0, u64::MAX, 0) && !is_sample(0, 0, u64::MAX));
    }

    #[test]
    fn what_is_no_list_is_said() {
        let bytes = list(&[]);
        assert_eq!(Records::of(&[]).unwrap_err(), BadList::Unknown);
        assert_eq!(Records::of(&[0; 20]).unwrap_err(), BadList::Unknown);
        let mut other = bytes.clone();
        other[HEADER - 2..].reverse();
        assert_eq!(Records::of(&other).unwrap_err(), BadList::OtherOrder);
        let mut newer = bytes;
        newer[4] = 2;
        assert_eq!(Records::of(&newer).unwrap_err(), BadList::Unknown);
    }

    proptest! {
        #[test]
        fn anything_ends(kind in 0_u16..10, body in proptest::collection::vec(any::<u8>(), 0..300)) {
            let mut bytes = list(&[]);
            bytes.extend(kind.to_le_bytes());
            bytes.extend([0, 0]);
            bytes.extend((body.len() as u32).to_le_bytes());
            bytes.extend(&body);
            for record in Records::of(&bytes).unwrap() {
                if let Record::Sample(sample) = record {
                    let _ = sample.decode();
                }
            }
        }
    }
}
