//! Options that a program sets on an open connection.

use tcpwhy_kernel::{BufferKind, reported_buffer};

use super::Socket;

impl Socket {
    /// `TCP_NOTSENT_LOWAT`.
    #[cfg(test)]
    pub(crate) const fn set_most_unsent(&mut self, bytes: u64) {
        self.rules.most_unsent = bytes;
        self.queue.set_most_unsent(bytes);
    }

    /// `SO_SNDBUF` and `SO_RCVBUF`.
    pub(crate) fn set_buffers(&mut self, sndbuf: Option<u64>, rcvbuf: Option<u64>) {
        let [most_sndbuf, most_rcvbuf] = self.rules.most_asked;
        let granted =
            |kind, asked: u64, most| reported_buffer(kind, i32::try_from(asked).unwrap_or(i32::MAX), Some(most)).1;
        if let Some(asked) = sndbuf {
            self.rules.is_sndbuf_set = true;
            self.queue.limit = granted(BufferKind::Send, asked, most_sndbuf);
        }
        if let Some(asked) = rcvbuf {
            self.receiving.set_limit(granted(BufferKind::Receive, asked, most_rcvbuf));
        }
    }
}
