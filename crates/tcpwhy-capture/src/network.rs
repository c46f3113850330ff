//! The IP header around a segment.

use std::net::IpAddr;

use tcpwhy_model::IpHeader;

/// What the IP header around a segment says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Network {
    pub(crate) source: IpAddr,
    pub(crate) destination: IpAddr,
    pub(crate) header: IpHeader,
    /// It is no fragment.
    pub(crate) is_whole: bool,
}
