//! A given window, for example from a capture: the buffers that allow it.

use tcpwhy_model::ByteCount;

use crate::remedy::{MAX_REQUEST, to_int, with_third};
use crate::writers::least_writer;
use crate::{
    BufferRequest, ReceiveQuestion, SendQuestion, Sysctl, Writer, receive_limits, send_limits, smallest,
    window::scale_for,
};

/// Settings of both ends that allow a window of this size. Fields are `None` if no value does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowSettings {
    /// The window.
    pub window: ByteCount,
    /// Smallest window scale that can encode it.
    pub scale: u8,
    /// `SO_RCVBUF` that allows it, if `rmem_max` were no limit.
    pub rcvbuf: Option<ByteCount>,
    /// Third value of `tcp_rmem` with which autotuning allows it.
    pub rmem_third: Option<ByteCount>,
    /// `SO_SNDBUF` that allows as many bytes in flight, if `wmem_max` were no limit.
    pub sndbuf: Option<ByteCount>,
    /// Third value of `tcp_wmem` with which autotuning allows as many bytes in flight.
    pub wmem_third: Option<ByteCount>,
}

/// The smallest settings that allow `window`. Those of the sender apply to `writer`.
pub fn settings_for_window(
    send: &SendQuestion<'_>,
    receive: &ReceiveQuestion<'_>,
    writer: Writer,
    window: ByteCount,
) -> WindowSettings {
    let offers = |question: &ReceiveQuestion<'_>| receive_limits(question).largest_window.value >= window;
    let rcvbuf = smallest(MAX_REQUEST, |bytes| {
        let request = Some(BufferRequest::new(to_int(bytes)).forced());
        offers(&ReceiveQuestion { request, ..*receive })
    });
    let rmem_third = smallest(MAX_REQUEST, |bytes| {
        let sysctls = with_third(receive.sysctls, Sysctl::TcpRmem, receive.version, bytes);
        offers(&ReceiveQuestion { sysctls: &sysctls, request: None, ..*receive })
    });
    let sender = if writer == Writer::Any { least_writer(send) } else { *send };
    let sends = |question: &SendQuestion<'_>| send_limits(question).largest_flight.value >= window;
    let sndbuf = smallest(MAX_REQUEST, |bytes| {
        let request = Some(BufferRequest::new(to_int(bytes)).forced());
        sends(&SendQuestion { request, ..sender })
    });
    let wmem_third = smallest(MAX_REQUEST, |bytes| {
        let sysctls = with_third(send.sysctls, Sysctl::TcpWmem, send.version, bytes);
        sends(&SendQuestion { sysctls: &sysctls, request: None, ..sender })
    });
    WindowSettings { window, scale: scale_for(window), rcvbuf, rmem_third, sndbuf, wmem_third }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{KernelVersion, Link, Sysctls, Writing};

    /// Before 6.6 the window is half of the buffer minus one segment, and the buffer is twice the request.
    #[test]
    fn a_window_of_two_mebibytes() {
        let version = KernelVersion::series(5, 15);
        let sysctls = Sysctls::defaults(version);
        let link = Link::ETHERNET;
        let receive = ReceiveQuestion { version, sysctls: &sysctls, request: None, window_clamp: None, link };
        let send = SendQuestion {
            version,
            sysctls: &sysctls,
            request: None,
            link,
            writing: Writing::BULK,
            is_bbr: false,
            peer_window: None,
            notsent_lowat: None,
        };
        let window = 2 << 20;
        let settings = settings_for_window(&send, &receive, Writer::Given(Writing::BULK), window);
        assert_eq!(settings.scale, 6, "65,535 << 5 is one byte short of 32 times less");
        let near = |found: Option<ByteCount>, expected: ByteCount| {
            let found = found.unwrap();
            assert!(found.abs_diff(expected) < 4096, "{found}, expected about {expected}");
        };
        near(settings.rcvbuf, window + 1448);
        near(settings.rmem_third, 2 * window + 2 * 1448);
        // 64 kB of payload have 1,280 bytes of overhead each, so the request is about half of the window.
        assert!(settings.sndbuf.is_some_and(|bytes| (1_000_000..1_100_000).contains(&bytes)), "{settings:?}");
        let any = settings_for_window(&send, &receive, Writer::Any, window);
        assert!(any.sndbuf > settings.sndbuf, "writes of one segment need more: {any:?}");
    }
}
