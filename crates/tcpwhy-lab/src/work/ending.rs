//! The end of a connection by the programs.

use std::io;
use std::mem::MaybeUninit;
use std::net::Shutdown;

use super::connection::Connection;
use super::log::Leave;
use tcpwhy_scenario::{End, Ending, Goodbye, Unanswered};

/// Ends the connection as the scenario asks, after all data of the work; `client` is the end that sends
/// requests.
pub(super) fn leave(ending: Option<Ending>, client: End, connection: &mut Connection<'_>) -> io::Result<()> {
    match ending {
        Some(Ending::Goodbye(goodbye)) => say_goodbye(goodbye, connection),
        Some(Ending::Unanswered(Unanswered { patience })) if connection.end == client => {
            connection.wait_for_nothing(patience.into())?;
            connection.left(Leave::GaveUp);
            if client == End::Receiver {
                // finish_sending() does the same for the sender.
                connection.socket.shutdown(Shutdown::Write)?;
            }
            close(connection)
        }
        // The server has the request, sends no answer and closes after the client.
        Some(Ending::Unanswered(_)) => close_after_peer(connection),
        // The reset has happened already.
        Some(Ending::Reset(_)) | None => close(connection),
    }
}

fn say_goodbye(goodbye: Goodbye, connection: &mut Connection<'_>) -> io::Result<()> {
    let Goodbye { by, after, bytes } = goodbye;
    if connection.end == by {
        connection.rest(after.into());
        connection.send(&vec![0; bytes.0 as usize])?;
        connection.left(Leave::Closed);
        if by == End::Receiver {
            connection.socket.shutdown(Shutdown::Write)?;
        }
        return close(connection);
    }
    connection.recv_exactly(bytes.0, &mut vec![MaybeUninit::uninit(); bytes.0 as usize])?;
    close_after_peer(connection)
}

/// Shuts down this end's direction and waits for the peer.
fn close(connection: &mut Connection<'_>) -> io::Result<()> {
    match connection.end {
        End::Sender => connection.finish_sending(),
        End::Receiver => connection.finish_receiving(),
    }
}

/// Closes after the peer has closed.
fn close_after_peer(connection: &mut Connection<'_>) -> io::Result<()> {
    if connection.end == End::Sender {
        connection.expect_eof()?;
    }
    close(connection)
}
