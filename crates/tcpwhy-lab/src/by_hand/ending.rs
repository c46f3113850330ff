//! The end of a connection by the two programs, in Python.

use std::fmt::Write as _;

use super::script::line;
use tcpwhy_scenario::{End, Ending, Goodbye, Unanswered};

/// A socket that resets its connection after a number of bytes in one direction.
const RESETTING: &str = "\
import struct
class Resetting:
    def __init__(self, s, left, counted):
        self.s, self.left, self.counted = s, left, counted
    def moved(self, n):
        self.left -= n
        if self.left == 0:
            self.s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
            self.s.close()
            raise SystemExit
    def sendall(self, data):
        if self.counted != 'sent':
            return self.s.sendall(data)
        data = data[:self.left]
        self.s.sendall(data)
        self.moved(len(data))
    def send(self, data, flags=0):
        if self.counted != 'sent':
            return self.s.send(data, flags)
        n = self.s.send(data[:self.left], flags)
        self.moved(n)
        return n
    def recv(self, n):
        if self.counted != 'received':
            return self.s.recv(n)
        data = self.s.recv(min(n, self.left))
        self.moved(len(data))
        return data
    def __getattr__(self, name):
        return getattr(self.s, name)";

/// Writes the code that must precede the work of `end`.
pub(super) fn before(out: &mut String, ending: Option<Ending>, end: End) {
    let Some(after) = ending.and_then(|ending| ending.reset_by(end)) else { return };
    let counted = if end == End::Sender { "sent" } else { "received" };
    line!(out, "{RESETTING}");
    line!(out, "s = Resetting(s, {after}, '{counted}')");
}

/// Writes the code after the work of `end`; `client` is the end that sends requests.
pub(super) fn leave(out: &mut String, ending: Option<Ending>, end: End, client: End) {
    match ending {
        Some(Ending::Goodbye(Goodbye { by, after, bytes })) if by == end => {
            line!(out, "time.sleep({})", after.seconds());
            line!(out, "s.sendall(bytes({}))", bytes.0);
            close_first(out);
        }
        Some(Ending::Goodbye(Goodbye { bytes, .. })) => {
            line!(out, "read_exactly({})", bytes.0);
            close_second(out);
        }
        Some(Ending::Unanswered(Unanswered { patience })) if end == client => {
            line!(out, "s.settimeout({})", patience.seconds());
            line!(out, "try:");
            line!(out, "    s.recv(1)");
            line!(out, "except socket.timeout:  # nobody answered");
            line!(out, "    s.settimeout(None)");
            close_first(out);
        }
        Some(Ending::Reset(_)) | None if end == End::Sender => close_first(out),
        Some(Ending::Unanswered(_) | Ending::Reset(_)) | None => close_second(out),
    }
}

fn close_first(out: &mut String) {
    line!(out, "s.shutdown(socket.SHUT_WR)");
    line!(out, "s.recv(1)");
}

fn close_second(out: &mut String) {
    line!(out, "s.recv(1)");
    line!(out, "s.close()");
}
