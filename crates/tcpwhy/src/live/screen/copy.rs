//! Text about a connection that can be copied.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tcpwhy_model::host::SocketAddress;
use tcpwhy_report::Wording;
use tcpwhy_report::live::{LiveRow, LiveTable, to_text};
use tcpwhy_report::text::Look;
use tcpwhy_watch::{LiveConnection, Window};

/// The text to copy for the selected connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Copied {
    /// The `ss` command that shows its socket.
    Command,
    /// Its line of the list.
    Line,
}

/// Columns of a copied line, independent of the terminal's width.
const WIDTH: usize = 160;

impl Copied {
    /// The text for `connection` within `window`, with a timeline strip of `nanos`.
    pub(super) fn text(
        self,
        connection: &LiveConnection,
        window: Window,
        nanos: i64,
        has_unicode: bool,
        wording: Wording<'_>,
    ) -> String {
        match self {
            Self::Command => command(connection.local(), connection.peer()),
            Self::Line => {
                let look = Look { width: WIDTH, has_color: false, has_unicode };
                let time = wording.units().nanos(nanos);
                let row = LiveRow::now(connection, window, nanos, wording);
                let table = LiveTable::new(&[row], look, wording, &time);
                to_text(&table.rows, look).trim().to_owned()
            }
        }
    }
}

/// The `ss` command. It contains only addresses and ports, so no part of it has a special meaning in a shell.
fn command(local: &SocketAddress, peer: &SocketAddress) -> String {
    let end = |end: &SocketAddress| {
        let port = end.port.unwrap_or_default();
        match end.address {
            Some(address) if address.is_ipv6() => format!("[{address}]:{port}"),
            Some(address) => format!("{address}:{port}"),
            None => format!(":{port}"),
        }
    };
    format!("ss -tinmp 'src {} and dst {}'", end(local), end(peer))
}

/// The escape sequence that asks a terminal to copy `text` (OSC 52 of xterm, supported by others).
pub(super) fn request(text: &str) -> String {
    format!("\x1b]52;c;{}\x07", STANDARD.encode(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_name_both_ends() {
        let end = |address: &str, port| SocketAddress { address: address.parse().ok(), zone: None, port: Some(port) };
        assert_eq!(
            command(&end("10.0.0.1", 3306), &end("10.0.7.70", 26_494)),
            "ss -tinmp 'src 10.0.0.1:3306 and dst 10.0.7.70:26494'"
        );
        assert_eq!(
            command(&end("2001:db8::1", 443), &end("2001:db8::2", 50_000)),
            "ss -tinmp 'src [2001:db8::1]:443 and dst [2001:db8::2]:50000'"
        );
    }

    #[test]
    fn the_terminal_is_asked_in_letters_that_it_cannot_obey() {
        assert_eq!(request("a\x07b"), "\x1b]52;c;YQdi\x07");
    }
}
