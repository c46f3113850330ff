//! Rates and bytes in flight that a socket has reached: a computed limit is never less.

use tcpwhy_kernel::window;
use tcpwhy_model::host::{SocketSample, TcpInfo};
use tcpwhy_model::{Rate, WindowScale};

/// Rate and bytes in flight that a socket has reached in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Reached {
    /// Bytes in flight now, or offered as window.
    pub(super) flight: u64,
    /// Highest known rate.
    pub(super) rate: Option<Rate>,
}

/// Least busy time for a mean rate, µs: the kernel counts busy time in clock ticks of up to 10 ms.
const LEAST_BUSY_US: u64 = 500_000;

impl Reached {
    /// The sending side. The rate is `tcpi_delivery_rate`, or the mean of the acknowledged bytes
    /// (`tcpi_bytes_acked`, Linux 4.1) over the busy time (`tcpi_busy_time`, Linux 4.10).
    pub(super) fn sent(socket: &SocketSample) -> Self {
        let info = &socket.info;
        let busy = info.busy_time.filter(|&busy| busy >= LEAST_BUSY_US);
        let mean = info.bytes_acked.zip(busy).map(|(bytes, busy)| bytes as f64 * 1e6 / busy as f64);
        let newest = info.delivery_rate.map(|rate| rate as f64);
        let rate = [mean, newest].into_iter().flatten().reduce(f64::max).filter(|&rate| rate > 0.0);
        let in_flight = unsent(info).map_or(0, |unsent| socket.send_queue.saturating_sub(unsent));
        Self { flight: in_flight, rate: rate.map(Rate::from_bytes_per_sec) }
    }

    /// The receiving side. The window is the one offered now (`tcpi_rcv_wnd`, Linux 6.2), at most as large as
    /// its scale can express. If the socket has sent no data, `tcpi_last_data_sent` counts from the handshake
    /// (`tcp_finish_connect`, `tcp_rcv_state_process` set `lsndtime`), which gives the mean rate.
    /// `tcpi_rcv_space` is not such a rate: its bytes may have come in more than one round trip
    /// (`tcp_rcv_space_adjust`).
    pub(super) fn received(socket: &SocketSample) -> Self {
        let info = &socket.info;
        let has_sent_nothing = info.data_segs_out.or(info.min_rtt.map(|_| 0)) == Some(0);
        let age = info.last_data_sent.filter(|&ms| has_sent_nothing && ms.saturating_mul(1000) >= LEAST_BUSY_US);
        let rate = info.bytes_received.zip(age).map(|(bytes, ms)| bytes as f64 * 1e3 / ms as f64);
        let offered = info.rcv_wnd.unwrap_or(0).min(wire_cap(info));
        Self { flight: offered, rate: rate.filter(|&rate| rate > 0.0).map(Rate::from_bytes_per_sec) }
    }
}

/// Bytes that wait unsent; `None` if unknown. `ss` omits a 0. `minrtt`, which is as old (Linux 4.6), shows
/// that the value was 0.
pub(super) fn unsent(info: &TcpInfo) -> Option<u64> {
    info.notsent_bytes.or(info.min_rtt.map(|_| 0))
}

/// The largest window that the scale of this end can express (RFC 7323 §2.2).
pub(super) fn wire_cap(info: &TcpInfo) -> u64 {
    let largest = WindowScale::LARGEST;
    info.rcv_wscale.map_or(u64::MAX, |shift| window::wire_cap(u8::try_from(shift).map_or(largest, |s| s.min(largest))))
}

/// Whether both ends are on this host.
pub(super) fn is_local(socket: &SocketSample) -> bool {
    let is_same = socket.local.address.is_some() && socket.local.address == socket.peer.address;
    is_same || socket.peer.address.is_some_and(|a| a.to_canonical().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::connection;

    fn bytes_per_second(reached: Reached) -> Option<f64> {
        reached.rate.map(Rate::bytes_per_sec)
    }

    #[test]
    fn the_mean_of_the_busy_time_or_the_newest_rate() {
        let mut socket = connection();
        socket.info.bytes_acked = Some(65_594_001);
        socket.info.busy_time = Some(7_980_000);
        assert_eq!(bytes_per_second(Reached::sent(&socket)), Some(65_594_001.0 / 7.98));
        socket.info.delivery_rate = Some(9_000_000);
        assert_eq!(bytes_per_second(Reached::sent(&socket)), Some(9_000_000.0));
        socket.info.delivery_rate = Some(1000);
        socket.info.busy_time = Some(LEAST_BUSY_US - 1);
        assert_eq!(bytes_per_second(Reached::sent(&socket)), Some(1000.0));
        assert_eq!(Reached::sent(&connection()), Reached::default());
    }

    #[test]
    fn what_waits_unsent_is_not_in_flight() {
        let mut socket = connection();
        socket.send_queue = 115_840;
        assert_eq!(Reached::sent(&socket).flight, 0, "not known what of it was sent");
        socket.info.min_rtt = Some(20_000);
        assert_eq!(Reached::sent(&socket).flight, 115_840);
        socket.info.notsent_bytes = Some(15_840);
        assert_eq!(Reached::sent(&socket).flight, 100_000);
    }

    #[test]
    fn a_window_beyond_its_scale_is_not_offered() {
        let mut socket = connection();
        socket.info.rcv_wnd = Some(5_542_944);
        socket.info.rcv_wscale = Some(0);
        assert_eq!(Reached::received(&socket).flight, 65_535);
    }

    #[test]
    fn a_receiver_that_sent_nothing_knows_its_age() {
        let mut socket = connection();
        socket.info.bytes_received = Some(8_000_000);
        socket.info.last_data_sent = Some(4000);
        assert_eq!(bytes_per_second(Reached::received(&socket)), None, "it may have sent data 4 s ago");
        socket.info.data_segs_out = Some(0);
        assert_eq!(bytes_per_second(Reached::received(&socket)), Some(2_000_000.0));
        socket.info.last_data_sent = Some(499);
        assert_eq!(bytes_per_second(Reached::received(&socket)), None);
    }
}
