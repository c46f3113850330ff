use crate::bytes::{Bytes, Skip};
use crate::layer::Layer;

/// A label stack (RFC 3032 §2.1). The last label does not name the protocol of the payload. By convention,
/// the payload's first four bits do: RFC 4385 §2 reserves 0 for the pseudowire control word so that it is not
/// confused with IP.
pub(crate) fn mpls(mut bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    loop {
        let is_bottom = bytes.header::<4>()?[2] & 1 == 1;
        bytes = bytes.skip(4)?;
        if is_bottom {
            break;
        }
    }
    match bytes.u8_at(0)? >> 4 {
        4 | 6 => Ok(Layer::Ip(bytes)),
        0 => Ok(Layer::Ethernet(bytes.skip(4)?)),
        1 => Err(Skip::NotTcp),
        _ => Ok(Layer::Ethernet(bytes)),
    }
}
