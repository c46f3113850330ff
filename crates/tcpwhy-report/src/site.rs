//! The connection that a fix is for: the place of the fix, and the program concerned.

use tcpwhy_analysis::{Connection, Side};
use tcpwhy_model::{Endpoint, Fix, FixEnds, FixPlace, Hole};

use crate::Args;
use crate::code::KnownServer;

/// The two ends of a connection with their roles for fixes, and the program that its port suggests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    pub(crate) ends: FixEnds,
    pub(crate) server: Option<KnownServer>,
}

/// The form in which a place is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlaceForm {
    /// A server program with address and port, everything else with its address.
    Full,
    /// A server program with its port alone.
    Port,
}

impl Site {
    /// The site of a fix about the data of `sender`. Without a sender, the fix is about the connection, and
    /// its client counts as the sender.
    pub fn of(connection: &Connection, sender: Option<Side>) -> Self {
        let server = connection.server();
        let from = sender.unwrap_or_else(|| server.peer());
        let [sender_end, receiver_end] = [from, from.peer()].map(|side| connection.endpoints[side.index()]);
        Self {
            ends: FixEnds { sender: sender_end, receiver: receiver_end, is_sender_server: from == server },
            server: KnownServer::of(connection, sender),
        }
    }

    /// The ends of the connection.
    pub const fn ends(&self) -> &FixEnds {
        &self.ends
    }

    /// Arguments for the places in the name of `fix`.
    pub(crate) fn args(&self, fix: &Fix, form: PlaceForm) -> Args {
        let (ends, place) = (self.ends, fix.place);
        let [here, there] = ends.seen_from(place);
        let program = |end: Endpoint| match form {
            PlaceForm::Full => end.to_string(),
            PlaceForm::Port => format!(":{}", end.port),
        };
        // A client's port is ephemeral, so it does not identify a program.
        let is_program = matches!(place, FixPlace::SendingApplication | FixPlace::ReceivingApplication);
        let here = if is_program && ends.is_at_server(place) { program(here) } else { here.address.to_string() };
        Args::new()
            .text("here", here)
            .text("there", there.address.to_string())
            .text("sender", ends.sender.address.to_string())
            .text("receiver", ends.receiver.address.to_string())
            .text("client", ends.client().address.to_string())
            .text("server", program(ends.server()))
            .text("host", ends.server().address.to_string())
            .text("port", ends.server().port.to_string())
            .text("probe", ends.value(Hole::ProbePeer, place))
            .text("sockets", ends.value(Hole::SocketsToReceiver, place))
    }
}

#[cfg(test)]
mod terms;
