use crate::bytes::{Bytes, Skip};
use crate::layer::Layer;

/// ARP hardware type of netlink monitors (Linux `if_arp.h`), which have no packet inside.
const ARPHRD_NETLINK: u16 = 824;
/// An 802.2 header follows (Linux `if_ether.h`: `ETH_P_802_2`).
const PROTOCOL_802_2: u16 = 4;

/// `LINKTYPE_LINUX_SLL`: packet type, hardware type, address length, address (8), protocol.
pub(crate) fn v1(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    payload(bytes.u16_at(2)?, bytes.u16_at(14)?, bytes.skip(16)?)
}

/// `LINKTYPE_LINUX_SLL2`: protocol, reserved, interface, hardware type, packet type, address length, address
/// (8).
pub(crate) fn v2(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    payload(bytes.u16_at(8)?, bytes.u16_at(0)?, bytes.skip(20)?)
}

fn payload(hardware: u16, protocol: u16, bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    match (hardware, protocol) {
        (ARPHRD_NETLINK, _) => Err(Skip::NotTcp),
        (_, PROTOCOL_802_2) => Ok(Layer::Llc(bytes)),
        (_, ether_type) => Ok(Layer::EtherType(ether_type, bytes)),
    }
}
