use crate::bytes::{Bytes, Skip};
use crate::layer::Layer;

/// `LINKTYPE_NULL` and `LINKTYPE_LOOP`: a 32-bit address family in the byte order of the capturing machine,
/// which may differ from that of the file. Families are small, so the value shows the order. IPv6 is 10 on
/// Linux, 23 on Windows, 24 on NetBSD and OpenBSD, 28 on FreeBSD, 30 on macOS.
pub(crate) fn decode(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    let family = u32::from_le_bytes(*bytes.header::<4>()?);
    let family = if family > 0xffff { family.swap_bytes() } else { family };
    match family {
        2 | 10 | 23 | 24 | 28 | 30 => Ok(Layer::Ip(bytes.skip(4)?)),
        _ => Err(Skip::NotTcp),
    }
}
