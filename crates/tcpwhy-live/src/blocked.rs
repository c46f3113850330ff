use std::io;
use std::net::TcpStream;
use std::time::Duration;

use tcpwhy_model::host::TcpInfo;

/// Time in which the kernel had data to send on a socket, and the part of it that each limit blocked. The
/// values are the clocks of `tcp_info` since the socket was opened (`tcp_chrono_start`, Linux 4.10). They
/// advance in steps of a clock tick, 1 to 10 ms.
///
/// `None` means that this kernel has no such clock. Two readings give the time between them: [`Self::since`].
///
/// ```no_run
/// use tcpwhy_live::BlockedTime;
///
/// let stream = std::net::TcpStream::connect("192.0.2.1:80")?;
/// let before = BlockedTime::of(&stream)?;
/// // Send something.
/// let passed = BlockedTime::of(&stream)?.since(&before);
/// if let (Some(blocked), Some(busy)) = (passed.receive_window, passed.busy) {
///     println!("the peer's window blocked {blocked:?} of {busy:?}");
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlockedTime {
    /// Time with data to send or in flight. It contains the other two.
    pub busy: Option<Duration>,
    /// Time in which the peer's receive window blocked the sender (`tcpi_rwnd_limited`).
    pub receive_window: Option<Duration>,
    /// Time in which the send buffer blocked the sender (`tcpi_sndbuf_limited`). A small value does not clear
    /// the send buffer: Linux starts this clock only while the congestion window is not the limit
    /// (`tcp_cwnd_validate`). The samples of `tcpwhy-watch` show the send buffer in any case.
    pub send_buffer: Option<Duration>,
}

impl BlockedTime {
    /// Reads the clocks of `stream` (`getsockopt` of `TCP_INFO`). It needs no capability.
    ///
    /// # Errors
    /// The error of `getsockopt`, or [`Unsupported`](io::ErrorKind::Unsupported) on systems other than Linux.
    #[cfg(target_os = "linux")]
    pub fn of(stream: &TcpStream) -> io::Result<Self> {
        Self::of_fd(stream)
    }

    /// Reads the clocks of `stream`: on Linux only.
    ///
    /// # Errors
    /// [`Unsupported`](io::ErrorKind::Unsupported).
    #[cfg(not(target_os = "linux"))]
    pub fn of(_: &TcpStream) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Reads the clocks of any TCP socket, such as one of `tokio` or `socket2`.
    ///
    /// # Errors
    /// The error of `getsockopt`, for example if the socket is not a TCP socket.
    #[cfg(target_os = "linux")]
    pub fn of_fd(socket: impl std::os::fd::AsFd) -> io::Result<Self> {
        Ok(Self::from(&crate::linux::tcp_info(socket.as_fd())?))
    }

    /// The time that passed since `before`, an earlier reading of the same socket.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        let passed = |now: Option<Duration>, before: Option<Duration>| Some(now?.saturating_sub(before?));
        Self {
            busy: passed(self.busy, before.busy),
            receive_window: passed(self.receive_window, before.receive_window),
            send_buffer: passed(self.send_buffer, before.send_buffer),
        }
    }
}

impl From<&TcpInfo> for BlockedTime {
    /// The clocks in a sample of [`SockDiag`](crate::SockDiag) or in a line of `ss`.
    fn from(info: &TcpInfo) -> Self {
        Self {
            busy: info.busy_time.map(Duration::from_micros),
            receive_window: info.rwnd_limited.map(Duration::from_micros),
            send_buffer: info.sndbuf_limited.map(Duration::from_micros),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_stays_unknown() {
        assert_eq!(BlockedTime::from(&TcpInfo::default()), BlockedTime::default());
        let info = TcpInfo { busy_time: Some(3_000_000), rwnd_limited: Some(1_250_000), ..TcpInfo::default() };
        let now = BlockedTime::from(&info);
        assert_eq!(now.busy, Some(Duration::from_secs(3)));
        assert_eq!(now.receive_window, Some(Duration::from_millis(1250)));
        assert_eq!(now.send_buffer, None);
        let before = BlockedTime { busy: Some(Duration::from_secs(1)), ..BlockedTime::default() };
        let passed = now.since(&before);
        assert_eq!((passed.busy, passed.receive_window), (Some(Duration::from_secs(2)), None));
    }
}
