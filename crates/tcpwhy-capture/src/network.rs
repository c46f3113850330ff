//! The IP header of a segment.

use std::net::IpAddr;

use tcpwhy_model::IpHeader;

/// Fields of the IP header of a segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Network {
    pub(crate) source: IpAddr,
    pub(crate) destination: IpAddr,
    pub(crate) header: IpHeader,
    /// Whether the packet is not a fragment.
    pub(crate) is_whole: bool,
}
