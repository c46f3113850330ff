//! Conversations from a script.

use std::io;
use std::mem::MaybeUninit;

use super::connection::Connection;
use super::ending::leave;
use crate::wall;
use tcpwhy_scenario::{Role, Talk, Utterance};

/// Size of a TLS record's header, and the most data in one record, bytes (RFC 8446 §5.1).
const HEADER: usize = 5;
const MOST_IN_RECORD: usize = (1 << 14) + 256;

/// The types of TLS records (RFC 8446 §B.1).
const CHANGE_CIPHER_SPEC: u8 = 20;
const ALERT: u8 = 21;
const HANDSHAKE: u8 = 22;
const APPLICATION_DATA: u8 = 23;

/// Sends this end's messages of the script, reads the other end's, then ends the connection.
pub(super) fn take(talk: &Talk, connection: &mut Connection<'_>) -> io::Result<()> {
    connection.begin_phase();
    let mut script = Script { messages: talk.messages().collect(), read: 0 };
    let mut hellos = 0;
    for number in 0..script.messages.len() {
        let message = script.messages[number];
        if message.by != connection.end {
            continue;
        }
        if !message.unheard {
            script.read_to(number, connection)?;
        }
        connection.rest(message.after.into());
        let data = if talk.tls { records(message, hellos) } else { vec![0; message.bytes.0 as usize] };
        hellos += usize::from(message.role == Role::Handshake);
        connection.log.said.push((number, wall::now()));
        connection.send(&data)?;
        if connection.stop.is_over() {
            return Err(io::ErrorKind::TimedOut.into());
        }
    }
    script.read_to(script.messages.len(), connection)?;
    leave(None, talk.opener, connection)
}

struct Script {
    messages: Vec<Utterance>,
    /// Number of messages in the script whose data from the peer has been read.
    read: usize,
}

impl Script {
    /// Reads the peer's messages before `number`.
    fn read_to(&mut self, number: usize, connection: &mut Connection<'_>) -> io::Result<()> {
        let mut buffer = [MaybeUninit::uninit(); 4096];
        while self.read < number {
            let message = self.messages[self.read];
            if message.by != connection.end {
                connection.recv_exactly(message.bytes.0, &mut buffer)?;
                connection.log.heard.push((self.read, wall::now()));
            }
            self.read += 1;
        }
        Ok(())
    }
}

/// A message in TLS records of zeros. `hellos` is the number of handshake messages that its sender has sent
/// before.
fn records(message: Utterance, hellos: usize) -> Vec<u8> {
    let kind = match message.role {
        Role::Handshake if hellos == 0 => HANDSHAKE,
        Role::Handshake => CHANGE_CIPHER_SPEC,
        Role::Goodbye => ALERT,
        _ => APPLICATION_DATA,
    };
    let mut data = vec![0; message.bytes.0 as usize];
    for record in data.chunks_mut(HEADER + MOST_IN_RECORD) {
        let len = record.len().saturating_sub(HEADER);
        let header = [kind, 3, 3, (len >> 8) as u8, len as u8];
        let kept = record.len().min(HEADER);
        record[..kept].copy_from_slice(&header[..kept]);
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;
    use tcpwhy_scenario::{Bytes, End, Nanos};

    fn of(role: Role, bytes: u64) -> Utterance {
        Utterance { by: End::Sender, role, bytes: Bytes(bytes), after: Nanos(0), unheard: false }
    }

    #[test]
    fn a_record_says_its_type_and_length() {
        assert_eq!(records(of(Role::Goodbye, 31), 1)[..6], [21, 3, 3, 0, 26, 0]);
        assert_eq!(records(of(Role::Handshake, 517), 0)[..5], [22, 3, 3, 2, 0]);
        assert_eq!(records(of(Role::Handshake, 64), 1)[0], 20);
        let long = records(of(Role::Answer, 20_000), 1);
        assert_eq!((long.len(), &long[..3]), (20_000, &[23, 3, 3][..]));
        assert_eq!(long[HEADER + MOST_IN_RECORD..][..3], [23, 3, 3]);
    }
}
