//! Link layers, from the first byte of a frame to an IP header.

mod cooked;
mod ethernet;
mod loopback;
mod metadata;
mod mpls;
mod nflog;
mod ppp;
mod wifi;

pub(crate) use ethernet::{ether_type, ethernet, llc};
pub(crate) use mpls::mpls;
pub(crate) use ppp::protocol as ppp_protocol;
pub(crate) use wifi::wifi;

pub(crate) use number::ETHERNET;

use tcpwhy_model::AnomalyKind;

use crate::bytes::{Bytes, Skip};
use crate::layer::{Layer, WifiPadding};

/// Link types as numbered in capture files (<https://www.tcpdump.org/linktypes.html>). If two numbers have
/// one name, the second is a platform's own `DLT_` value that occurs in files.
mod number {
    pub(super) const NULL: u32 = 0;
    pub(crate) const ETHERNET: u32 = 1;
    pub(super) const PPP: u32 = 9;
    pub(super) const FDDI: u32 = 10;
    pub(super) const ATM_RFC1483_BSD: u32 = 11;
    pub(super) const RAW_BSD: u32 = 12;
    pub(super) const RAW_OPENBSD: u32 = 14;
    pub(super) const PPP_HDLC: u32 = 50;
    pub(super) const PPP_ETHER: u32 = 51;
    pub(super) const ATM_RFC1483: u32 = 100;
    pub(super) const RAW: u32 = 101;
    pub(super) const C_HDLC: u32 = 104;
    pub(super) const IEEE802_11: u32 = 105;
    pub(super) const LOOP: u32 = 108;
    pub(super) const LINUX_SLL: u32 = 113;
    pub(super) const PFLOG: u32 = 117;
    pub(super) const IEEE802_11_PRISM: u32 = 119;
    pub(super) const IEEE802_11_RADIOTAP: u32 = 127;
    pub(super) const ARCNET_LINUX: u32 = 129;
    pub(super) const IEEE802_11_AVS: u32 = 163;
    pub(super) const JUNIPER_ETHER: u32 = 178;
    pub(super) const PPI: u32 = 192;
    pub(super) const PPP_WITH_DIR: u32 = 204;
    pub(super) const MPLS: u32 = 219;
    pub(super) const IPV4: u32 = 228;
    pub(super) const IPV6: u32 = 229;
    pub(super) const NFLOG: u32 = 239;
    pub(super) const PKTAP: u32 = 258;
    pub(super) const LINUX_SLL2: u32 = 276;
}

/// The first layer of a frame of this link type.
#[inline]
pub(crate) fn decode(link_type: u32, bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    match link_type {
        number::ETHERNET => ethernet(bytes),
        number::RAW_BSD | number::RAW_OPENBSD | number::RAW | number::IPV4 | number::IPV6 => Ok(Layer::Ip(bytes)),
        number::LINUX_SLL => cooked::v1(bytes),
        number::LINUX_SLL2 => cooked::v2(bytes),
        number::NULL | number::LOOP => loopback::decode(bytes),
        number::PPP | number::PPP_HDLC => ppp::decode(bytes),
        number::PPP_ETHER => ppp::over_ethernet(bytes),
        number::PPP_WITH_DIR => ppp::decode(bytes.skip(1)?),
        number::C_HDLC => ppp::cisco_hdlc(bytes),
        number::IEEE802_11 => Ok(Layer::Wifi(bytes, WifiPadding::None)),
        number::IEEE802_11_RADIOTAP => wifi::radiotap(bytes),
        number::IEEE802_11_PRISM => wifi::prism(bytes),
        number::IEEE802_11_AVS => wifi::avs(bytes),
        number::MPLS => Ok(Layer::Mpls(bytes)),
        number::NFLOG => nflog::decode(bytes),
        number::FDDI => ethernet::fddi(bytes),
        number::ATM_RFC1483 | number::ATM_RFC1483_BSD => Ok(Layer::Llc(bytes)),
        number::ARCNET_LINUX => ethernet::arcnet_linux(bytes),
        number::PPI => metadata::ppi(bytes),
        number::PKTAP => metadata::pktap(bytes),
        number::PFLOG => metadata::pflog(bytes),
        number::JUNIPER_ETHER => metadata::juniper_ether(bytes),
        other => Err(Skip::Anomaly(AnomalyKind::UnsupportedLinkType, u64::from(other))),
    }
}
