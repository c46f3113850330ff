use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tcpwhy_model::{CaptureSummary, Segment, Timestamp, Traffic};

use crate::error::CaptureError;
use crate::reader::CaptureReader;

/// Segments to read ahead from each capture.
const READ_AHEAD: usize = 256;

/// Several captures as one, ordered by time: rotated files of one host, or the files of several interfaces.
///
/// Segments of one capture keep their order, even if its clock steps. Equal times are ordered by capture.
/// [`Segment::number`] stays the number within the segment's own file.
pub struct MergedReader {
    inputs: Vec<Input>,
    /// Time of the next segment of each capture that has one, and the capture's index.
    heads: BinaryHeap<Reverse<(Timestamp, usize)>>,
    has_begun: bool,
}

struct Input {
    reader: CaptureReader,
    /// Segments read ahead, in reverse order.
    ahead: Vec<Segment>,
}

impl Input {
    /// Time of the next segment; `None` at the end of the capture.
    fn head(&mut self) -> Option<Timestamp> {
        while self.ahead.is_empty() && self.reader.read_batch(&mut self.ahead, READ_AHEAD) {
            self.ahead.reverse();
        }
        self.ahead.last().map(|segment| segment.timestamp)
    }
}

impl MergedReader {
    /// Merges captures. Each is read ahead by at most a few hundred segments.
    pub fn new(readers: Vec<CaptureReader>) -> Self {
        let inputs = readers.into_iter().map(|reader| Input { reader, ahead: Vec::new() }).collect();
        Self { inputs, heads: BinaryHeap::new(), has_begun: false }
    }

    /// Appends up to `max` segments to `out`. Returns false at the end of all captures, when it appended
    /// none.
    pub fn read_batch(&mut self, out: &mut Vec<Segment>, max: usize) -> bool {
        if !self.has_begun {
            self.has_begun = true;
            for (index, input) in self.inputs.iter_mut().enumerate() {
                self.heads.extend(input.head().map(|time| Reverse((time, index))));
            }
        }
        let before = out.len();
        let limit = before.saturating_add(max);
        while out.len() < limit {
            let Some(Reverse((_, index))) = self.heads.pop() else { return out.len() > before };
            let Some(input) = self.inputs.get_mut(index) else { continue };
            let others = self.heads.peek().map(|Reverse(head)| *head);
            // Stays with one capture while it is before all others, because rotated files hardly overlap.
            loop {
                out.extend(input.ahead.pop());
                let Some(time) = input.head() else { break };
                let head = (time, index);
                if out.len() >= limit || others.is_some_and(|others| others < head) {
                    self.heads.push(Reverse(head));
                    break;
                }
            }
        }
        out.len() > before || !self.heads.is_empty()
    }

    /// Summary of each capture so far, in the order given to [`new`](Self::new).
    pub fn summaries(&self) -> Vec<CaptureSummary> {
        self.inputs.iter().map(|input| input.reader.summary()).collect()
    }

    /// Takes the counted traffic of UDP and other protocols so far, of all captures.
    pub fn take_traffic(&mut self) -> Traffic {
        let mut all = Traffic::default();
        self.inputs.iter_mut().for_each(|input| all.absorb(input.reader.take_traffic()));
        all
    }

    /// Bytes of all inputs read so far; compressed bytes of compressed inputs.
    pub fn bytes_read(&self) -> u64 {
        self.inputs.iter().map(|input| input.reader.bytes_read()).sum()
    }

    /// Length of all inputs in bytes, if all are files.
    pub fn bytes_total(&self) -> Option<u64> {
        self.inputs.iter().map(|input| input.reader.bytes_total()).sum()
    }

    /// Errors of the operating system that ended a capture early, in the order of the captures.
    pub fn into_errors(self) -> Vec<CaptureError> {
        self.inputs.into_iter().filter_map(|input| input.reader.into_error()).collect()
    }
}
