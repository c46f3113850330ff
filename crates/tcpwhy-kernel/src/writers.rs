//! Effect of an application's writes on one send buffer.
//!
//! Each skb counts its own memory, and the buffer is tested only when a new one begins (`fill.rs`). So writes
//! of one segment fill a buffer with less payload than writes of a whole skb, and the same buffer gives
//! several rates.

use tcpwhy_model::ByteCount;

use crate::fill::wake_level;
use crate::{Figure, SendLimits, SendQuestion, WriteMode, Writing, send_limits};

/// How a program writes, as far as known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Writer {
    /// Any program, with or without Nagle's algorithm: the answer is a range.
    #[default]
    Any,
    /// Any program that sets `TCP_NODELAY`: a narrower range.
    AnyWithNodelay,
    /// A program with known writes.
    Given(Writing),
}

impl Writer {
    /// Its writes. An unknown program is represented by a bulk transfer.
    pub const fn writing(self) -> Writing {
        match self {
            Self::Any | Self::AnyWithNodelay => Writing::BULK,
            Self::Given(writing) => writing,
        }
    }

    /// Whether the size of its writes is unknown.
    pub const fn is_range(self) -> bool {
        matches!(self, Self::Any | Self::AnyWithNodelay)
    }
}

/// Usual sizes of writes, besides one segment. `BufferedOutputStream`, `stdio` and most copying loops use one
/// of these.
const USUAL_WRITES: [ByteCount; 3] = [8 << 10, 16 << 10, 64 << 10];

/// Bytes in flight of a program with a given size of writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriterRow {
    /// Bytes per write.
    pub bytes: ByteCount,
    /// Bytes in flight if `write()` blocks, or is called until `EAGAIN`.
    pub blocking: Figure,
    /// Bytes in flight if the program polls before each write.
    pub polling: Figure,
}

/// Bytes in flight by the size of the writes, smallest first: one segment, then the usual sizes above it. All
/// use `TCP_NODELAY`. Under Nagle's algorithm a write that is not a multiple of a segment leaves a tail, and
/// the buffer is not tested while there is a tail.
pub fn by_writer(question: &SendQuestion<'_>) -> Vec<WriterRow> {
    let segment = question.link.sending_mss(question.peer_window);
    let larger = USUAL_WRITES.into_iter().filter(|&bytes| bytes > segment);
    std::iter::once(segment)
        .chain(larger)
        .map(|bytes| {
            let of = |mode| {
                let writing = Writing { bytes, has_nodelay: true, mode };
                send_limits(&SendQuestion { writing, ..*question }).largest_flight
            };
            WriterRow { bytes, blocking: of(WriteMode::Blocking), polling: of(WriteMode::Polling) }
        })
        .collect()
}

impl WriterRow {
    /// Bytes in flight for any size of writes and any way of waiting, with `TCP_NODELAY`. The range covers
    /// all rows; `bulk` is the best single value.
    pub fn range(rows: &[Self], bulk: Figure) -> Figure {
        let figures = || rows.iter().flat_map(|row| [row.blocking, row.polling]);
        let low = figures().map(|figure| figure.low).min().unwrap_or(bulk.low);
        let high = figures().try_fold(0, |most: ByteCount, figure| Some(most.max(figure.high?)));
        let high = bulk.high.zip(high).map(|(bulk, rows)| bulk.max(rows));
        Figure::range(bulk.value, low.min(bulk.low), high, bulk.ground)
    }
}

/// The range over all programs of `writer`. With Nagle's algorithm it has no upper end.
pub(crate) fn over_writers(
    writer: Writer,
    question: &SendQuestion<'_>,
    bulk: &SendLimits,
    rows: &[WriterRow],
) -> Figure {
    let range = WriterRow::range(rows, bulk.largest_flight);
    // A write larger than an skb is worst if its last part alone just fills the buffer. Before 4.17, an skb
    // may be one segment.
    let overhead = question.link.skb_overhead(question.version);
    let rest = bulk.largest_buffer.low.saturating_sub(overhead.high.unwrap_or(overhead.value));
    let [segment, goal] =
        [question.link.sending_mss(question.peer_window), question.link.size_goal(question.peer_window)];
    // A polling program is worst if one of its writes alone leaves less than a third free.
    let wake = wake_level(bulk.largest_buffer.low);
    let skbs = wake.div_ceil(goal + overhead.value);
    let alone = (wake + 1).saturating_sub(skbs * overhead.value).max(segment);
    let least = [
        (segment + rest.clamp(1, segment), WriteMode::Blocking),
        (goal + rest.clamp(1, goal), WriteMode::Blocking),
        (alone, WriteMode::Polling),
    ];
    // Its queue is then more than two thirds full, at worst with an additional skb for one byte of each
    // write.
    let worst = goal + 1;
    let memory = worst + 2 * overhead.high.unwrap_or(overhead.value);
    let polling = (u128::from(wake) * u128::from(worst) / u128::from(memory)) as ByteCount;
    let low = least.into_iter().fold(range.low.min(polling), |low, (bytes, mode)| {
        let writing = Writing { bytes, has_nodelay: true, mode };
        low.min(send_limits(&SendQuestion { writing, ..*question }).largest_flight.low)
    });
    if writer == Writer::Any {
        return Figure { low, high: None, ..range };
    }
    // The best case is a write that just leaves room in an empty buffer: the next one begins there and is
    // accepted whole.
    let most = bulk.largest_buffer.high.map(|buffer| {
        let bytes = buffer.saturating_sub(overhead.low + 1).clamp(1, goal);
        let writing = Writing { bytes, has_nodelay: true, mode: WriteMode::Blocking };
        send_limits(&SendQuestion { writing, ..*question }).largest_flight.high
    });
    let high = range.high.zip(most.flatten()).map(|(rows, most)| rows.max(most));
    Figure { low, high, ..range }
}

/// The same question for the program that gets least out of a buffer: one segment per write.
pub(crate) fn least_writer<'a>(question: &SendQuestion<'a>) -> SendQuestion<'a> {
    let bytes = question.link.sending_mss(question.peer_window);
    SendQuestion { writing: Writing { bytes, has_nodelay: true, mode: WriteMode::Blocking }, ..*question }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BufferRequest, KernelVersion, Link, Sysctls};

    /// `SO_SNDBUF` 16 KiB: 32,768 bytes. Measured on 6.18 at 50 ms: 21,488, 32,378 and 64,767 bytes in flight
    /// with writes of 1,448, 8,192 and 65,536 bytes.
    #[test]
    fn one_buffer_gives_several_rates() {
        let version = KernelVersion::series(6, 18);
        let sysctls = Sysctls::defaults(version);
        let question = SendQuestion {
            version,
            sysctls: &sysctls,
            request: Some(BufferRequest::new(16 << 10)),
            link: Link::ETHERNET,
            writing: Writing::BULK,
            is_bbr: false,
            peer_window: None,
            notsent_lowat: None,
        };
        let rows = by_writer(&question);
        assert_eq!(rows.iter().map(|row| row.bytes).collect::<Vec<_>>(), [1448, 8192, 16_384, 65_536]);
        for (row, measured) in [(&rows[0], 21_488), (&rows[1], 32_378), (&rows[3], 64_767)] {
            assert!(row.blocking.admits(measured, 500), "{row:?}, measured {measured}");
            assert!(row.polling.value <= row.blocking.value, "{row:?}");
        }
        let bulk = send_limits(&question);
        let over = over_writers(Writer::AnyWithNodelay, &question, &bulk, &rows);
        // 5.4 to 35 Mbit/s at 20 ms with TCP_NODELAY; no upper end with Nagle's algorithm.
        let rate = |bytes: ByteCount| bytes as f64 * 8.0 / 20e-3 / 1e6;
        assert!((5.2..5.6).contains(&rate(over.low)) && (34.0..36.0).contains(&rate(over.high.unwrap())), "{over:?}");
        let any = over_writers(Writer::Any, &question, &bulk, &rows);
        assert_eq!((any.low, any.high), (over.low, None));
    }

    #[test]
    fn where_one_segment_is_a_whole_skb_there_is_one_row_more_at_most() {
        let version = KernelVersion::series(6, 18);
        let sysctls = Sysctls::defaults(version);
        let link = Link::new(65_536, crate::Device::Local);
        let question = SendQuestion {
            version,
            sysctls: &sysctls,
            request: Some(BufferRequest::new(16 << 10)),
            link,
            writing: Writing::BULK,
            is_bbr: false,
            peer_window: None,
            notsent_lowat: None,
        };
        let bytes: Vec<_> = by_writer(&question).iter().map(|row| row.bytes).collect();
        assert_eq!(bytes, [65_483, 65_536]);
    }
}
