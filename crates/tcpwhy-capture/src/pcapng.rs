pub(crate) mod annotate;

use tcpwhy_model::AnomalyKind;

use crate::endian::Endian;
use crate::growth::Growth;
use crate::kernel_block::{self, Allowance, BadList, KernelHearer};
use crate::resolution::Resolution;
use crate::tally::{Sink, Step};

/// Maximum length of a block in bytes.
const MAX_BLOCK: u32 = 16 << 20;

/// Maximum number of interfaces per section. Packets of further ones count as of an unknown interface.
const MAX_INTERFACES: usize = 1 << 16;

/// Type and total length before the body, total length after it.
const BLOCK_HEADER: usize = 8;
const BLOCK_TRAILER: usize = 4;
const MIN_BLOCK: usize = BLOCK_HEADER + BLOCK_TRAILER;

/// Block types (draft-ietf-opsawg-pcapng §11.1).
mod block {
    pub(super) const INTERFACE_DESCRIPTION: u32 = 1;
    pub(super) const PACKET: u32 = 2;
    pub(super) const SIMPLE_PACKET: u32 = 3;
    pub(super) const ENHANCED_PACKET: u32 = 6;
    pub(super) const SECTION_HEADER: u32 = 0x0a0d_0d0a;
}

/// `if_description`, an option of interfaces.
pub(crate) const INTERFACE_DESCRIPTION_TEXT: u16 = 3;
/// Description of the interface of a simulated capture. Programs that copy captures keep it.
pub const SIMULATED: &str = "simulated by tcpwhy";

/// `opt_comment`, an option of every block.
pub(crate) const COMMENT: u16 = 1;

/// Length of a section header block without options.
const MIN_SECTION: u32 = 28;

/// Type of a section header block: a palindrome, so it is equal in both byte orders.
pub(crate) const MAGIC: [u8; 4] = block::SECTION_HEADER.to_be_bytes();

/// Number of bytes that [`section`] examines.
pub(crate) const SECTION_BEGIN: usize = 16;

/// pcapng (draft-ietf-opsawg-pcapng).
pub(crate) struct PcapngParser {
    endian: Endian,
    interfaces: Vec<Interface>,
    /// Callback for kernel data.
    hearer: Option<KernelHearer>,
    /// Decompressed bytes that the kernel data may still have.
    allowance: Allowance,
}

#[derive(Clone, Copy, Debug)]
struct Interface {
    link_type: u32,
    /// Captured bytes per packet; 0 means no limit.
    snaplen: u32,
    resolution: Resolution,
}

/// Defect of a section header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BadSection {
    ByteOrder,
    Length,
    Version(u16, u16),
}

/// Byte order of the section whose header block begins with these bytes (§4.1): type, length, byte order,
/// version.
pub(crate) fn section(begin: &[u8; SECTION_BEGIN]) -> Result<Endian, BadSection> {
    let endian = match [begin[8], begin[9], begin[10], begin[11]] {
        [0x1a, 0x2b, 0x3c, 0x4d] => Endian::Big,
        [0x4d, 0x3c, 0x2b, 0x1a] => Endian::Little,
        _ => return Err(BadSection::ByteOrder),
    };
    let len = endian.u32([begin[4], begin[5], begin[6], begin[7]]);
    if !(MIN_SECTION..=MAX_BLOCK).contains(&len) {
        return Err(BadSection::Length);
    }
    let major = endian.u16([begin[12], begin[13]]);
    if major != 1 {
        return Err(BadSection::Version(major, endian.u16([begin[14], begin[15]])));
    }
    Ok(endian)
}

impl PcapngParser {
    pub(crate) fn new(endian: Endian) -> Self {
        Self { endian, interfaces: Vec::new(), hearer: None, allowance: Allowance::default() }
    }

    /// Passes kernel data to `hearer` from now on, up to the limit of `growth`.
    pub(crate) fn hear(&mut self, hearer: KernelHearer, growth: Growth) {
        self.hearer = Some(hearer);
        self.allowance = std::mem::take(&mut self.allowance).within(growth);
    }

    /// Delivers the packets of `bytes`, which start with a block.
    pub(crate) fn advance(&mut self, bytes: &[u8], sink: &mut Sink<'_>) -> Step {
        let mut at = 0;
        while !sink.is_full() {
            let rest = bytes.get(at..).unwrap_or_default();
            let Some(header) = rest.first_chunk::<BLOCK_HEADER>() else {
                return Step::Starved { consumed: at, need: MIN_BLOCK };
            };
            let [t0, t1, t2, t3, l0, l1, l2, l3] = *header;
            let is_section = [t0, t1, t2, t3] == MAGIC;
            if is_section {
                let Some(begin) = rest.first_chunk() else {
                    return Step::Starved { consumed: at, need: SECTION_BEGIN };
                };
                let Ok(endian) = section(begin) else { return corrupt(at, block::SECTION_HEADER, sink) };
                let (hearer, allowance) = (self.hearer.take(), std::mem::take(&mut self.allowance));
                *self = Self { hearer, allowance, ..Self::new(endian) };
            }
            let block_type = self.endian.u32([t0, t1, t2, t3]);
            let total_len = self.endian.u32([l0, l1, l2, l3]);
            if (total_len as usize) < MIN_BLOCK || total_len > MAX_BLOCK {
                return corrupt(at, total_len, sink);
            }
            // Lengths are multiples of four; some writers do not count the padding.
            let block_len = (total_len as usize).next_multiple_of(4);
            let Some(body) = rest.get(BLOCK_HEADER..block_len - BLOCK_TRAILER) else {
                return Step::Starved { consumed: at, need: block_len };
            };
            let Some(trailer) = self.endian.u32_at(rest, block_len - BLOCK_TRAILER) else {
                return Step::Starved { consumed: at, need: block_len };
            };
            if trailer != total_len && trailer as usize != block_len {
                return corrupt(at, trailer, sink);
            }
            if block_type == kernel_block::DECRYPTION_SECRETS {
                match self.secrets(body) {
                    Ok(()) => {}
                    Err(BadList::Damaged) => sink.tally.note_next(AnomalyKind::CorruptRecord, u64::from(block_type)),
                    Err(BadList::Overgrown) => {
                        sink.tally.note_next(AnomalyKind::ExcessiveGrowth, at as u64);
                        return Step::Corrupt { consumed: at };
                    }
                }
            } else if !is_section && self.block(block_type, body, sink).is_none() {
                sink.tally.note_next(AnomalyKind::CorruptRecord, u64::from(block_type));
            }
            at += block_len;
        }
        Step::Full { consumed: at }
    }

    /// Reads one block; `None` if its body is shorter than its fields require.
    fn block(&mut self, block_type: u32, body: &[u8], sink: &mut Sink<'_>) -> Option<()> {
        match block_type {
            block::ENHANCED_PACKET => self.enhanced_packet(body, sink),
            block::SIMPLE_PACKET => self.simple_packet(body, sink),
            block::PACKET => self.packet(body, sink),
            block::INTERFACE_DESCRIPTION => self.interface(body, sink),
            _ => Some(()),
        }
    }

    /// Enhanced packet block (§4.3): interface, time (high, low), captured length, original length, packet.
    #[inline]
    fn enhanced_packet(&self, body: &[u8], sink: &mut Sink<'_>) -> Option<()> {
        let header = body.first_chunk::<20>()?;
        let interface = self.endian.u32([header[0], header[1], header[2], header[3]]);
        self.timed_packet(interface, header, body.get(20..)?, sink)
    }

    /// Obsolete packet block (§B): interface and drop count of 16 bits each, then as in the enhanced block.
    fn packet(&self, body: &[u8], sink: &mut Sink<'_>) -> Option<()> {
        let header = body.first_chunk::<20>()?;
        let interface = self.endian.u16([header[0], header[1]]);
        self.timed_packet(u32::from(interface), header, body.get(20..)?, sink)
    }

    #[inline]
    fn timed_packet(&self, interface: u32, header: &[u8; 20], packet: &[u8], sink: &mut Sink<'_>) -> Option<()> {
        let field = |at: usize| self.endian.u32([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        let ticks = (u64::from(field(4)) << 32) | u64::from(field(8));
        let original_len = field(16);
        let captured = packet.get(..field(12) as usize)?;
        match self.interfaces.get(interface as usize) {
            Some(of) => {
                sink.packet(Some(of.resolution.timestamp(ticks)), of.link_type, captured, original_len, 0);
            }
            None => sink.orphan(interface, captured, original_len),
        }
        Some(())
    }

    /// Simple packet block (§4.4): original length, then the packet, cut to the first interface's snap
    /// length.
    fn simple_packet(&self, body: &[u8], sink: &mut Sink<'_>) -> Option<()> {
        let original_len = self.endian.u32_at(body, 0)?;
        let packet = body.get(4..)?;
        let first = self.interfaces.first();
        let snaplen = match first {
            Some(Interface { snaplen: 0, .. }) | None => u32::MAX,
            Some(interface) => interface.snaplen,
        };
        let captured_len = (original_len.min(snaplen) as usize).min(packet.len());
        let captured = packet.get(..captured_len)?;
        match first {
            Some(interface) => sink.packet(None, interface.link_type, captured, original_len, 0),
            None => sink.orphan(0, captured, original_len),
        }
        Some(())
    }

    /// Interface description block (§4.2): link type, reserved, snap length, options.
    fn interface(&mut self, body: &[u8], sink: &mut Sink<'_>) -> Option<()> {
        const TSRESOL: u16 = 9;
        const TSOFFSET: u16 = 14;
        let link_type = u32::from(self.endian.u16_at(body, 0)?);
        let snaplen = self.endian.u32_at(body, 4)?;
        let mut resolution = Resolution::default();
        let mut options = body.get(8..)?;
        while let Some((code, value, rest)) = self.option(options) {
            match (code, value) {
                (0, _) => break,
                (TSRESOL, &[tsresol, ..]) => resolution = resolution.with_tsresol(tsresol),
                (INTERFACE_DESCRIPTION_TEXT, value) if value == SIMULATED.as_bytes() => {
                    sink.tally.note_next(AnomalyKind::Simulated, 0);
                }
                (TSOFFSET, value) => {
                    if let Some(seconds) = value.first_chunk() {
                        resolution = resolution.with_tsoffset(self.endian.u64(*seconds) as i64);
                    }
                }
                _ => {}
            }
            options = rest;
        }
        if self.interfaces.len() < MAX_INTERFACES {
            self.interfaces.push(Interface { link_type, snaplen, resolution });
        }
        Some(())
    }

    /// Decryption secrets block (§4.7): type, length, secrets.
    #[cold]
    fn secrets(&mut self, body: &[u8]) -> Result<(), BadList> {
        let begin = self.endian.u32_at(body, 0).zip(self.endian.u32_at(body, 4));
        let (kind, len) = begin.ok_or(BadList::Damaged)?;
        let Some(hearer) = self.hearer.as_mut().filter(|_| kind == kernel_block::SECRETS_TYPE) else { return Ok(()) };
        let secrets = body.get(8..).and_then(|rest| rest.get(..len as usize)).ok_or(BadList::Damaged)?;
        hearer(&self.allowance.decompress(secrets)?);
        Ok(())
    }

    /// Code and value of the first option (§3.5), and the options after it.
    fn option<'a>(&self, options: &'a [u8]) -> Option<(u16, &'a [u8], &'a [u8])> {
        let code = self.endian.u16_at(options, 0)?;
        let len = usize::from(self.endian.u16_at(options, 2)?);
        let value = options.get(4..4 + len)?;
        Some((code, value, options.get(4 + len.next_multiple_of(4)..).unwrap_or_default()))
    }
}

fn corrupt(consumed: usize, detail: u32, sink: &mut Sink<'_>) -> Step {
    sink.tally.note_next(AnomalyKind::CorruptRecord, u64::from(detail));
    Step::Corrupt { consumed }
}
