//! Copies blocks of a pcapng; comments become options of packet blocks (§3.5).

use std::io::{self, Write};

use super::{BLOCK_HEADER, BLOCK_TRAILER, COMMENT, MAGIC, block, section};
use crate::comment::{COPY_MARK, MARK, marked};
use crate::endian::Endian;

/// Bytes before the packet in enhanced packet blocks and in obsolete ones.
const PACKET_HEADER: usize = 20;

/// State of the section that is being copied.
#[derive(Default)]
pub(crate) struct Blocks {
    endian: Option<Endian>,
    /// Whether the first section has begun.
    has_section: bool,
}

impl Blocks {
    /// Copies `bytes`, which are complete valid blocks. If the last one `is_packet`, it gets `comments` in
    /// place of those of an earlier copy. Returns the number of added comments.
    pub(crate) fn copy(
        &mut self,
        mut bytes: &[u8],
        is_packet: bool,
        comments: &[String],
        out: &mut impl Write,
    ) -> io::Result<u64> {
        while let Some((endian, len)) = self.next_block(bytes) {
            let (block, rest) = bytes.split_at(len.min(bytes.len()));
            bytes = rest;
            if block.starts_with(&MAGIC) {
                let is_first = !std::mem::replace(&mut self.has_section, true);
                copy_section(endian, block, is_first, out)?;
            } else if is_packet && rest.is_empty() {
                return copy_packet(endian, block, comments, out);
            } else {
                out.write_all(block)?;
            }
        }
        Ok(0)
    }

    /// Byte order and length of the first block in `bytes`.
    fn next_block(&mut self, bytes: &[u8]) -> Option<(Endian, usize)> {
        if bytes.starts_with(&MAGIC) {
            self.endian = section(bytes.first_chunk()?).ok();
        }
        let endian = self.endian?;
        let len = endian.u32_at(bytes, 4)? as usize;
        (len > 0).then_some((endian, len.next_multiple_of(4)))
    }
}

/// Copies a section header, without the length of its section. The first section gets the comment of copies
/// before all other options.
fn copy_section(endian: Endian, block: &[u8], is_first: bool, out: &mut impl Write) -> io::Result<()> {
    // After type, length, byte order and version. -1 means unknown and is equal in both byte orders.
    const LENGTH: std::ops::Range<usize> = 16..24;
    let mut block = block.to_vec();
    if let Some(length) = block.get_mut(LENGTH) {
        length.fill(0xff);
    }
    let body_end = block.len().saturating_sub(BLOCK_TRAILER);
    let parts = block.get(..LENGTH.end).zip(block.get(LENGTH.end..body_end));
    let Some((fixed, options)) = parts.filter(|_| is_first) else { return out.write_all(&block) };
    let mut new = Vec::new();
    put_option(endian, COMMENT, COPY_MARK.as_bytes(), &mut new);
    new.extend(without_own(endian, options).0);
    new.extend([0; 4]);
    let total = u32_bytes(endian, (fixed.len() + new.len() + BLOCK_TRAILER) as u32);
    let mut header = fixed.to_vec();
    if let Some(length) = header.get_mut(4..8) {
        length.copy_from_slice(&total);
    }
    for part in [&header[..], &new, &total] {
        out.write_all(part)?;
    }
    Ok(())
}

/// Copies a packet, byte for byte if its comments do not change.
fn copy_packet(endian: Endian, block: &[u8], comments: &[String], out: &mut impl Write) -> io::Result<u64> {
    let body = block.get(BLOCK_HEADER..block.len().saturating_sub(BLOCK_TRAILER)).unwrap_or_default();
    let kind = endian.u32_at(block, 0);
    let has_room = kind == Some(block::ENHANCED_PACKET) || kind == Some(block::PACKET);
    let options_at = endian.u32_at(body, 12).map(|len| PACKET_HEADER + (len as usize).next_multiple_of(4));
    let parts = options_at.filter(|_| has_room).and_then(|at| Some((body.get(..at)?, body.get(at..)?)));
    // A block without its padding cannot have options, and is copied unchanged.
    let Some((packet, options)) = parts else {
        out.write_all(block)?;
        return Ok(0);
    };
    let (kept, is_changed) = without_own(endian, options);
    if comments.is_empty() && !is_changed {
        out.write_all(block)?;
        return Ok(0);
    }
    let mut new = kept;
    for comment in comments {
        put_option(endian, COMMENT, marked(comment).as_bytes(), &mut new);
    }
    if !new.is_empty() {
        new.extend([0; 4]);
    }
    let total = (BLOCK_HEADER + packet.len() + new.len() + BLOCK_TRAILER) as u32;
    let total = u32_bytes(endian, total);
    out.write_all(block.get(..4).unwrap_or_default())?;
    for part in [&total[..], packet, &new, &total] {
        out.write_all(part)?;
    }
    Ok(comments.len() as u64)
}

/// The options of a packet without comments of an earlier copy, and whether there were any.
fn without_own(endian: Endian, options: &[u8]) -> (Vec<u8>, bool) {
    let (mut kept, mut is_changed) = (Vec::new(), false);
    let mut rest = options;
    while let (Some(code), Some(len)) = (endian.u16_at(rest, 0), endian.u16_at(rest, 2)) {
        let whole = 4 + usize::from(len).next_multiple_of(4);
        let (Some(option), Some(value)) = (rest.get(..whole), rest.get(4..4 + usize::from(len))) else { break };
        if code == 0 {
            break;
        }
        if code == COMMENT && value.starts_with(MARK.as_bytes()) {
            is_changed = true;
        } else {
            kept.extend(option);
        }
        rest = rest.get(whole..).unwrap_or_default();
    }
    (kept, is_changed)
}

fn u32_bytes(endian: Endian, value: u32) -> [u8; 4] {
    if endian == Endian::Little { value.to_le_bytes() } else { value.to_be_bytes() }
}

/// Writes an option whose value has less than 64 KiB.
fn put_option(endian: Endian, code: u16, value: &[u8], out: &mut Vec<u8>) {
    put_u16(endian, code, out);
    put_u16(endian, value.len() as u16, out);
    out.extend(value);
    out.resize(out.len().next_multiple_of(4), 0);
}

fn put_u16(endian: Endian, value: u16, out: &mut Vec<u8>) {
    out.extend(if endian == Endian::Little { value.to_le_bytes() } else { value.to_be_bytes() });
}
