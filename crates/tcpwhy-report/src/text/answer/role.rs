//! Ends with their roles.

use tcpwhy_analysis::{Connection, Side};

use crate::{Args, Wording};

/// An end of `connection` with its role: `10.0.0.1:80 (server)`.
pub(super) fn with_role(wording: Wording<'_>, connection: &Connection, side: Side) -> String {
    let end = wording.end(connection, side);
    let id = match connection.initiator {
        Some(client) if client == side => "end-client",
        Some(_) => "end-server",
        None => return end,
    };
    wording.catalogue().text(id, &Args::new().text("end", end))
}
