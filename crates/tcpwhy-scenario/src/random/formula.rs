//! Formulas for the payload bytes per second that each part of a transfer allows. They show that a drawn
//! cause is the limit.

use tcpwhy_kernel::window::scale_for;
use tcpwhy_kernel::{WriteMode, Writing, taken};

/// Payload of a full segment over IPv4 with timestamps.
pub(super) const MSS: f64 = 1448.0;
/// Bytes of a full segment on the wire: with headers, and Ethernet with preamble and gap.
const FRAME: f64 = 1538.0;
/// Bytes that Linux sends before the first ACK.
const INITIAL_WINDOW: f64 = 10.0 * MSS;
/// Memory of an skb besides its payload: 832 bytes on Linux 6.18, 1,280 on 6.1.
const OVERHEAD: u64 = 832;
/// Most payload of an skb.
const GOAL: u64 = 65_160;
/// `TCP_DELACK_MIN`, seconds.
pub(super) const DELAYED_ACK: f64 = 0.040;
/// Bytes in flight that autotuning allows in both directions with the lab's settings (`tcp_wmem[2]` 4 MiB,
/// `tcp_rmem[2]` 6 MiB, part of them overhead).
const AUTOTUNED: f64 = 2_500_000.0;

/// Payload rate of a line of `bits` bits per second.
pub(super) fn path(bits: f64) -> f64 {
    bits / 8.0 * MSS / FRAME
}

/// Rate that autotuned buffers allow over a round trip.
pub(super) fn autotuned(rtt: f64) -> f64 {
    AUTOTUNED / rtt
}

/// Bytes in flight with `SO_SNDBUF` of `asked` bytes, written in pieces of `write` with `TCP_NODELAY`.
pub(super) fn send_buffer_flight(asked: u64, write: u64, mode: WriteMode) -> f64 {
    let writing = Writing { bytes: write, has_nodelay: true, mode };
    taken(2 * asked, writing, GOAL, OVERHEAD) as f64
}

/// Least and largest window that `SO_RCVBUF` of `asked` bytes offers. The payload share of the doubled buffer
/// depends on the memory that the driver uses per segment: 0.55 to 0.95, measured on TAP and veth. The scale
/// is chosen from half of the buffer and caps the announced window.
pub(super) fn receive_window(asked: u64) -> (f64, f64) {
    let buffer = 2.0 * asked as f64;
    let cap = (65_535_u64 << scale_for(asked)) as f64;
    ((0.5 * buffer).min(cap), (0.95 * buffer).min(cap))
}

/// Rate that Reno or CUBIC reaches at a loss rate. It is the larger of RFC 3649's response of standard TCP
/// and RFC 9438's of CUBIC (section 5.1, C = 0.4, beta = 0.7).
pub(super) fn loss(rtt: f64, loss: f64) -> f64 {
    let reno = 1.22 / loss.sqrt();
    let cubic = 1.054 * (rtt / loss).powf(0.75);
    reno.max(cubic) * MSS / rtt
}

/// The rate of a peer that grants `flight` bytes at a time over a line of `bits` per second. The bytes need
/// the line, and the grant needs a round trip.
pub(super) fn peer_window(flight: f64, rtt: f64, bits: f64) -> f64 {
    flight / (rtt + flight / path(bits))
}

/// Seconds that slow start needs to reach this many bytes in flight: it doubles them each round trip.
pub(super) fn slow_start(flight: f64, rtt: f64) -> f64 {
    (flight / INITIAL_WINDOW).log2().max(0.0) * rtt
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measured on Linux 6.18 (50 ms, cubic): a buffer of 32 KiB with writes of one segment allows 21,488
    /// bytes in flight.
    #[test]
    fn flights_as_measured() {
        assert!((send_buffer_flight(16 * 1024, 1448, WriteMode::Blocking) / 21_488.0 - 1.0).abs() < 0.05);
        assert!((send_buffer_flight(64 * 1024, 8192, WriteMode::Blocking) / 121_717.0 - 1.0).abs() < 0.05);
    }

    /// Largest windows measured for `SO_RCVBUF` over veth, Linux 6.18 and 6.12.
    #[test]
    fn windows_as_measured() {
        for (asked, window) in [(32, 53_576.0), (64, 104_696.0), (100, 131_070.0), (128, 232_336.0), (256, 424_504.0)] {
            let (least, most) = receive_window(asked * 1024);
            assert!((least..=most).contains(&window), "{asked} KiB: {least} to {most}");
        }
    }

    /// Mathis et al. 1997: 1,448 bytes, 100 ms, 1 %: 1.4 Mbit/s.
    #[test]
    fn losses_bound_the_rate() {
        assert!((loss(0.1, 0.01) * 8.0 / 1.41e6 - 1.0).abs() < 0.05, "{}", loss(0.1, 0.01) * 8.0);
    }
}
