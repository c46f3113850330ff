use crate::bytes::{Bytes, Skip};
use crate::layer::{Layer, WifiPadding};

/// Ethernet types (IANA "IEEE 802 Numbers").
mod ether {
    pub(super) const IPV4: u16 = 0x0800;
    pub(super) const TRANSPARENT_BRIDGING: u16 = 0x6558;
    pub(super) const VLAN: u16 = 0x8100;
    pub(super) const ARUBA_WIFI: std::ops::RangeInclusive<u16> = 0x8200..=0x83ff;
    pub(super) const IPV6: u16 = 0x86dd;
    pub(super) const PPP: u16 = 0x880b;
    pub(super) const MPLS_UNICAST: u16 = 0x8847;
    pub(super) const MPLS_MULTICAST: u16 = 0x8848;
    pub(super) const PPPOE_SESSION: u16 = 0x8864;
    pub(super) const SERVICE_VLAN: u16 = 0x88a8;
    pub(super) const PROVIDER_BACKBONE: u16 = 0x88e7;
    pub(super) const FABRIC_PATH: u16 = 0x8903;
    pub(super) const BRIDGE_PORT_EXTENSION: u16 = 0x893f;
    /// Service tags of equipment older than IEEE 802.1ad.
    pub(super) const OLD_SERVICE_VLAN: std::ops::RangeInclusive<u16> = 0x9100..=0x9103;
    pub(super) const OLD_SERVICE_VLAN_2: u16 = 0x9200;
}

/// Smaller values are lengths of an 802.3 frame, not types (IEEE 802.3 §3.2.6).
const MIN_ETHER_TYPE: u16 = 0x0600;

/// Ethernet header: destination, source, type.
#[inline]
pub(crate) fn ethernet(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    let ether_type = bytes.u16_at(12)?;
    let payload = bytes.skip(14)?;
    if ether_type == ether::IPV4 {
        return Ok(Layer::Ip(payload));
    }
    if ether_type < MIN_ETHER_TYPE {
        return Ok(Layer::Llc(payload.limited_to(usize::from(ether_type))));
    }
    Ok(Layer::EtherType(ether_type, payload))
}

/// The payload of an Ethernet type, after one tag or label header.
pub(crate) fn ether_type(ether_type: u16, bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    match ether_type {
        ether::IPV4 | ether::IPV6 => Ok(Layer::Ip(bytes)),
        ether::VLAN | ether::SERVICE_VLAN | ether::OLD_SERVICE_VLAN_2 => tagged(bytes, 4),
        other if ether::OLD_SERVICE_VLAN.contains(&other) => tagged(bytes, 4),
        // IEEE 802.1BR: an E-tag of eight bytes, including its type.
        ether::BRIDGE_PORT_EXTENSION => tagged(bytes, 8),
        ether::MPLS_UNICAST | ether::MPLS_MULTICAST => Ok(Layer::Mpls(bytes)),
        ether::PPPOE_SESSION => super::ppp::over_ethernet(bytes),
        ether::PPP => super::ppp::decode(bytes),
        ether::TRANSPARENT_BRIDGING => Ok(Layer::Ethernet(bytes)),
        // IEEE 802.1ah: a service tag of four bytes before the customer's frame.
        ether::PROVIDER_BACKBONE => Ok(Layer::Ethernet(bytes.skip(4)?)),
        // Cisco FabricPath: tag and hop count, then the frame.
        ether::FABRIC_PATH => Ok(Layer::Ethernet(bytes.skip(2)?)),
        other if ether::ARUBA_WIFI.contains(&other) => Ok(Layer::Wifi(bytes, WifiPadding::None)),
        _ => Err(Skip::NotTcp),
    }
}

/// A tag whose last two bytes are the type, or length, of the payload.
fn tagged(bytes: Bytes<'_>, len: usize) -> Result<Layer<'_>, Skip> {
    let following = bytes.u16_at(len - 2)?;
    let payload = bytes.skip(len)?;
    if following < MIN_ETHER_TYPE {
        return Ok(Layer::Llc(payload.limited_to(usize::from(following))));
    }
    Ok(Layer::EtherType(following, payload))
}

/// IEEE 802.2, with the SNAP extension (RFC 1042).
pub(crate) fn llc(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    const UNNUMBERED_INFORMATION: u8 = 0x03;
    const SNAP: u8 = 0xaa;
    const IP: u8 = 0x06;
    match *bytes.header::<3>()? {
        [SNAP, SNAP, UNNUMBERED_INFORMATION] => {
            let snap = bytes.header::<8>()?;
            let protocol = u16::from_be_bytes([snap[6], snap[7]]);
            let payload = bytes.skip(8)?;
            match [snap[3], snap[4], snap[5]] {
                // Encapsulated Ethernet, and its bridge-tunnel variant (IEEE 802.1H).
                [0, 0, 0 | 0xf8] => Ok(Layer::EtherType(protocol, payload)),
                // RFC 2684 §5.2: bridged Ethernet, with or without frame check sequence, after two bytes of
                // padding.
                [0, 0x80, 0xc2] if protocol == 1 || protocol == 7 => Ok(Layer::Ethernet(payload.skip(2)?)),
                _ => Err(Skip::NotTcp),
            }
        }
        [IP, IP, UNNUMBERED_INFORMATION] => Ok(Layer::Ip(bytes.skip(3)?)),
        _ => Err(Skip::NotTcp),
    }
}

/// FDDI: frame control, destination, source, then 802.2 in LLC frames.
pub(crate) fn fddi(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    const LLC: u8 = 0x50;
    const CLASS: u8 = 0xf0;
    if bytes.u8_at(0)? & CLASS != LLC {
        return Err(Skip::NotTcp);
    }
    Ok(Layer::Llc(bytes.skip(13)?))
}

/// ARCNET on Linux: source, destination, two bytes of offset, protocol. Protocols of RFC 1201 add a split
/// flag and a sequence number; only unsplit packets are decoded.
pub(crate) fn arcnet_linux(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    const IP_RFC1051: u8 = 0xf0;
    const IP_RFC1201: u8 = 0xd4;
    match bytes.u8_at(4)? {
        IP_RFC1051 => Ok(Layer::Ip(bytes.skip(5)?)),
        IP_RFC1201 if bytes.u8_at(5)? == 0 => Ok(Layer::Ip(bytes.skip(8)?)),
        _ => Err(Skip::NotTcp),
    }
}
