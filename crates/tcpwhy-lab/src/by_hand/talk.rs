//! A conversation from a script, in Python.

use std::fmt::Write as _;

use super::ending;
use super::script::{READ_EXACTLY, line};
use tcpwhy_scenario::{End, Role, Talk};

/// Function for a message: TLS records, or zeros.
const DATA: &str = "\
def data(n, kind):
    if not kind:
        return bytes(n)
    out = b''
    while n > 0:  # the header of a record, then what is in it
        size = max(0, min(n - 5, 16640))
        out += (bytes([kind, 3, 3]) + struct.pack('>H', size))[:n] + bytes(size)
        n -= 5 + size
    return out";

/// Code that sends and reads in the order of the script.
const PLAY: &str = "\
read, hellos = 0, 0
def read_to(number):
    global read
    while read < number:
        if script[read][0] != ME:
            read_exactly(script[read][2])
        read += 1

for number, (by, role, size, after, unheard) in enumerate(script):
    if by == ME:
        if not unheard:
            read_to(number)
        time.sleep(after)
        kind = {'handshake': 20 if hellos else 22, 'goodbye': 21}.get(role, 23) if TLS else 0
        hellos += role == 'handshake'
        s.sendall(data(size, kind))
read_to(len(script))";

pub(super) fn program(out: &mut String, talk: &Talk, end: End) {
    line!(out, "{READ_EXACTLY}");
    line!(out, "ME, TLS = '{end}', {}", if talk.tls { "True" } else { "False" });
    line!(out, "script = []  # by, role, bytes, rest before it, whether that is not after the messages before");
    for part in &talk.parts {
        line!(out, "script += {} * [", part.times);
        for message in &part.messages {
            let role: Role = message.role;
            let unheard = if message.unheard { "True" } else { "False" };
            let (bytes, after) = (message.bytes.0, message.after.seconds());
            line!(out, "    ('{}', '{role}', {bytes}, {after}, {unheard}),", message.by);
        }
        line!(out, "]");
    }
    line!(out, "{DATA}");
    line!(out, "{PLAY}");
    ending::leave(out, None, end, talk.opener);
}
