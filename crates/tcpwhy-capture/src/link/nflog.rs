use crate::bytes::{Bytes, Skip};
use crate::endian::Endian;
use crate::layer::Layer;

/// Attribute that contains the packet (Linux `nfnetlink_log.h`: `NFULA_PAYLOAD`).
const PAYLOAD: u16 = 9;

/// `LINKTYPE_NFLOG`: family, version, resource id, then attributes as length, type and value, padded to four
/// bytes. Length and type have the byte order of the capturing machine. Types are below 256, so their value
/// shows the order.
pub(crate) fn decode(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    let mut rest = bytes.skip(4)?;
    let first = rest.header::<4>()?;
    let endian = if first[3] == 0 { Endian::Little } else { Endian::Big };
    loop {
        let &[a, b, c, d] = rest.header()?;
        let len = usize::from(endian.u16([a, b]));
        let attribute = endian.u16([c, d]) & 0x7fff;
        if len < 4 {
            return Err(Skip::NotTcp);
        }
        if attribute == PAYLOAD {
            return Ok(Layer::Ip(rest.limited_to(len).skip(4)?));
        }
        rest = rest.skip(len.next_multiple_of(4))?;
    }
}
