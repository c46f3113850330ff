//! Variants of pcap that share a magic number. Only their records distinguish them.
//!
//! Wireshark (`wiretap/libpcap.c`) knows the same variants and tries the first three records with each.

use tcpwhy_model::CaptureFormat;

use super::PcapParser;

pub(super) const NANOS_PER_SECOND: i64 = 1_000_000_000;
const MICROS_PER_SECOND: i64 = 1_000_000;

/// Length of the header of a record: two words of time, two lengths.
pub(super) const STANDARD: usize = 16;

/// Length with four more bytes, by Nokia's firewalls.
const NOKIA: usize = 20;

/// Length with interface, protocol and type of packet, by patches of libpcap (Kuznetzov, 1999). The patch of
/// September adds the processor. The first patch has the standard magic number.
pub(super) const MODIFIED: usize = 24;
const MODIFIED_SEPTEMBER: usize = 28;

/// Number of records that another variant must fit, and the smaller number if the file ends after them.
const ENOUGH: usize = 3;
const ENOUGH_AT_END: usize = 2;

/// Number of records that are enough for the standard variant of the magic number.
const ENOUGH_OF_USUAL: usize = 2;

/// Maximum number of examined bytes; a longer record is accepted.
const MOST: usize = 1 << 20;

/// Maximum number of seconds between consecutive records of one capture: ten years.
const LONGEST_GAP: u32 = 10 * 365 * 24 * 3600;

/// Result of examining the first records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Probe {
    /// More bytes are needed: this many in total.
    Needs(usize),
    /// The parser has its variant.
    Known,
    /// The second record fits no variant.
    Unknown,
}

/// Number of records that fit a header length.
enum Fit {
    Needs(usize),
    /// This many fit, then the file ends.
    Ends(usize),
    /// This many fit, and the next one has this many contradictions.
    Fails(usize, u32),
    Enough,
}

impl PcapParser {
    /// Determines the variant of the file, whose records start with `bytes`. `is_end` means that the file has
    /// no more bytes.
    pub(crate) fn probe(&mut self, bytes: &[u8], is_end: bool) -> Probe {
        let usual = self.fit(bytes, is_end, self.record_header, ENOUGH_OF_USUAL);
        let (fitting, contradictions) = match usual {
            Fit::Needs(need) if need <= MOST => return Probe::Needs(need),
            Fit::Needs(_) | Fit::Enough | Fit::Ends(_) => return Probe::Known,
            Fit::Fails(fitting, contradictions) => (fitting, contradictions),
        };
        for (record_header, format) in self.others() {
            match self.fit(bytes, is_end, record_header, ENOUGH) {
                Fit::Needs(need) if need <= MOST => return Probe::Needs(need),
                Fit::Needs(_) | Fit::Ends(..ENOUGH_AT_END) | Fit::Fails(..) => {}
                Fit::Enough | Fit::Ends(_) => {
                    (self.record_header, self.format) = (record_header, format);
                    return Probe::Known;
                }
            }
        }
        // A single contradiction is the mistake of a writer, such as nanoseconds instead of microseconds.
        if fitting == 1 && contradictions > 1 { Probe::Unknown } else { Probe::Known }
    }

    /// Lengths of record headers of variants with the same magic number.
    fn others(&self) -> impl Iterator<Item = (usize, CaptureFormat)> + use<> {
        let others: &[_] = match self.format {
            // Only files of version 2.4 have such variants.
            CaptureFormat::Pcap if self.is_of_today => {
                &[(MODIFIED, CaptureFormat::PcapModified), (NOKIA, CaptureFormat::PcapNokia)]
            }
            CaptureFormat::PcapModified if self.is_of_today => &[(MODIFIED_SEPTEMBER, CaptureFormat::PcapModified)],
            _ => &[],
        };
        others.iter().copied()
    }

    fn fit(&self, bytes: &[u8], is_end: bool, record_header: usize, enough: usize) -> Fit {
        let (mut at, mut before) = (0, None);
        for fitting in 0..enough {
            let rest = bytes.get(at..).unwrap_or_default();
            if rest.len() < record_header {
                return if is_end { Fit::Ends(fitting) } else { Fit::Needs(at + record_header) };
            }
            let field = |at: usize| self.endian.u32_at(rest, at).unwrap_or(0);
            let (seconds, captured_len) = (field(0), self.lengths(field(8), field(12)).0);
            let contradictions = self.contradictions(field);
            let is_far = before.is_some_and(|before: u32| before.abs_diff(seconds) > LONGEST_GAP);
            // Sound files may also have clocks that are far ahead, so that alone does not rule out the
            // variant of the magic number.
            if contradictions > 0 || (is_far && record_header != self.record_header) {
                return Fit::Fails(fitting, contradictions + u32::from(is_far));
            }
            (at, before) = (at + record_header + captured_len as usize, Some(seconds));
        }
        Fit::Enough
    }

    /// Number of impossible values in the header of a record. A length that cannot be read counts twice.
    fn contradictions(&self, field: impl Fn(usize) -> u32) -> u32 {
        let (captured_len, original_len) = self.lengths(field(8), field(12));
        let per_second = if self.format == CaptureFormat::PcapNanos { NANOS_PER_SECOND } else { MICROS_PER_SECOND };
        2 * u32::from(captured_len > self.max_packet)
            + u32::from(captured_len > original_len)
            + u32::from(i64::from(field(4)) >= per_second)
    }
}
