use std::num::NonZero;

use tcpwhy_capture::{CaptureError, CaptureReader, CaptureSummary, MergedReader};
use tcpwhy_model::{Segment, Traffic};

use crate::order::{Given, Order};
use crate::plan::Delivery;

/// Captures smaller than this are analysed in one part, bytes.
const SMALL: u64 = 4 << 20;

/// A source of segments.
pub enum Source {
    /// One capture.
    Single(Box<CaptureReader>),
    /// Several captures, merged by time.
    Merged(MergedReader),
}

/// The results of a source's readers at its end.
#[derive(Default)]
pub struct Ending {
    /// Summaries of the captures.
    pub summaries: Vec<CaptureSummary>,
    /// Errors that ended their reading early.
    pub failures: Vec<CaptureError>,
    /// Traffic other than TCP.
    pub traffic: Traffic,
}

impl Source {
    /// Opens capture `index`, or the `merged` first ones as one, each by `open`.
    ///
    /// # Errors
    /// The first of `open`.
    pub fn open<E>(
        index: usize,
        merged: Option<usize>,
        mut open: impl FnMut(usize) -> Result<CaptureReader, E>,
    ) -> Result<Self, E> {
        let Some(count) = merged else { return Ok(Self::Single(Box::new(open(index)?))) };
        let readers = (0..count).map(open).collect::<Result<Vec<_>, _>>()?;
        Ok(Self::Merged(MergedReader::new(readers)))
    }

    /// Appends up to `max` segments in the order of the capture; false at the end.
    pub fn read_batch(&mut self, out: &mut Vec<Segment>, max: usize) -> bool {
        match self {
            Self::Single(reader) => reader.read_batch(out, max),
            Self::Merged(reader) => reader.read_batch(out, max),
        }
    }

    /// Whether it is too short to be worth more than one thread.
    pub fn is_small(&self) -> bool {
        self.bytes_total().is_some_and(|total| total < SMALL)
    }

    /// Number of bytes of the input that have been read.
    pub(crate) fn bytes_read(&self) -> u64 {
        match self {
            Self::Single(reader) => reader.bytes_read(),
            Self::Merged(reader) => reader.bytes_read(),
        }
    }

    /// Size of the input in bytes, if it consists of files.
    pub(crate) fn bytes_total(&self) -> Option<u64> {
        match self {
            Self::Single(reader) => reader.bytes_total(),
            Self::Merged(reader) => reader.bytes_total(),
        }
    }

    /// The results after it has been read.
    pub fn end(self) -> Ending {
        match self {
            Self::Single(mut reader) => Ending {
                summaries: vec![reader.summary()],
                traffic: reader.take_traffic(),
                failures: reader.into_error().into_iter().collect(),
            },
            Self::Merged(mut reader) => {
                Ending { summaries: reader.summaries(), traffic: reader.take_traffic(), failures: reader.into_errors() }
            }
        }
    }

    /// Number of parts in which `threads` threads analyse the connections. Merged captures have one part,
    /// because their packet numbers do not order the connections.
    pub(crate) fn parts(&self, delivery: Delivery, threads: usize) -> usize {
        if delivery != Delivery::Bulk || self.is_small() || matches!(self, Self::Merged(_)) { 1 } else { 2 * threads }
    }
}

/// A source whose segments are in the order in which they passed, including those that the capture wrote a
/// little late.
pub(crate) struct OrderedSource {
    pub(crate) source: Source,
    order: Order,
    /// Number of segments per batch.
    batch: NonZero<usize>,
}

impl OrderedSource {
    pub(crate) fn new(source: Source, batch: NonZero<usize>) -> Self {
        Self { source, order: Order::default(), batch }
    }

    /// Fills `out` with the next segments.
    pub(crate) fn read_batch(&mut self, out: &mut Vec<Segment>) -> Given {
        out.clear();
        self.order.next(out, self.batch.get(), |out, max| self.source.read_batch(out, max))
    }
}
