//! Samples as CSV: one per line, with empty fields for unknown values.
//!
//! `time` is in seconds since the epoch on the captures' clock; fields `…_us` are in microseconds.
//! `app_state` is 0 (anything else), 1 (inside `send()`), 2 (inside `recv()`), 3 (asleep) or 4 (waiting for
//! the peer's protocol to allow more). `awaits_room` is 1 if the kernel's bits show that a foreign program
//! waits for room in its send buffer, and 0 if no program waits. `nodelay` is its `TCP_NODELAY`. `outq`,
//! `unsent`, `inq` and the fields of `SO_MEMINFO` are bytes. All other fields are from `tcp_info`, with its
//! names and units (`include/uapi/linux/tcp.h`).

use std::io::{self, BufRead, Write};

use tcpwhy_model::Timestamp;
use tcpwhy_model::host::{SocketMemory, TcpInfo};

use super::{Sample, SocketState};
use crate::work::{Doing, Glimpse};

const PROGRAM: [&str; 7] =
    ["app_bytes", "app_state", "send_blocked_us", "recv_blocked_us", "app_asleep_us", "phase", "peer_window_us"];
/// Columns about foreign programs.
const FOREIGN: [&str; 2] = ["awaits_room", "nodelay"];
const SOCKET: [&str; 4] = ["outq", "unsent", "inq", "state"];
const MEMORY: [&str; 9] =
    ["rmem_alloc", "rcvbuf", "wmem_alloc", "sndbuf", "fwd_alloc", "wmem_queued", "optmem", "backlog", "drops"];

/// Writes samples after a line of names.
pub(crate) fn write_series(samples: &[Sample], out: &mut impl Write) -> io::Result<()> {
    write!(out, "time,took_us,{},{},{},{}", PROGRAM.join(","), FOREIGN.join(","), SOCKET.join(","), MEMORY.join(","))?;
    for (name, _) in TcpInfo::default().fields() {
        write!(out, ",{name}")?;
    }
    writeln!(out)?;
    for sample in samples {
        write!(out, "{},{}", sample.time, sample.took / 1000)?;
        let socket = &sample.socket;
        let fields = program(sample.program)
            .into_iter()
            .chain([sample.awaits_room, sample.nodelay].map(|flag| flag.map(u64::from)))
            .chain([socket.outq, socket.unsent, socket.inq, socket.state.map(u64::from)])
            .chain(memory(&socket.memory))
            .chain(socket.info.fields().map(|(_, value)| value));
        for field in fields {
            match field {
                Some(value) => write!(out, ",{value}")?,
                None => write!(out, ",")?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Reads the output of `write_series`. The order of the columns does not matter; unknown columns are ignored.
pub fn read_series(input: impl BufRead) -> io::Result<Vec<Sample>> {
    let mut lines = input.lines();
    let names = lines.next().transpose()?.ok_or_else(|| damaged("it is empty"))?;
    let names: Vec<&str> = names.split(',').collect();
    lines.map(|line| read_line(&names, &line?)).collect()
}

fn read_line(names: &[&str], line: &str) -> io::Result<Sample> {
    let mut sample = Sample::default();
    let mut glimpse = Glimpse::default();
    let mut has_program = false;
    let values: Vec<&str> = line.split(',').collect();
    if values.len() != names.len() {
        return Err(damaged(&format!("{} fields under {} names", values.len(), names.len())));
    }
    for (&name, text) in names.iter().zip(values) {
        if name == "time" {
            sample.time = seconds(text).ok_or_else(|| damaged(text))?;
            continue;
        }
        let value = match text {
            "" => None,
            text => Some(text.parse::<u64>().map_err(|_| damaged(text))?),
        };
        if name == "took_us" {
            sample.took = value.unwrap_or_default().saturating_mul(1000);
        } else if name == FOREIGN[0] {
            sample.awaits_room = value.map(|value| value != 0);
        } else if name == FOREIGN[1] {
            sample.nodelay = value.map(|value| value != 0);
        } else if PROGRAM.contains(&name) {
            if let Some(value) = value {
                has_program = true;
                set_program(&mut glimpse, name, value);
            }
        } else {
            set_socket(&mut sample.socket, name, value);
        }
    }
    sample.program = has_program.then_some(glimpse);
    Ok(sample)
}

fn program(glimpse: Option<Glimpse>) -> [Option<u64>; 7] {
    let Some(glimpse) = glimpse else { return [None; 7] };
    [
        glimpse.bytes,
        glimpse.doing.number().into(),
        glimpse.in_send / 1000,
        glimpse.in_recv / 1000,
        glimpse.asleep / 1000,
        glimpse.phase.into(),
        glimpse.in_peer_window / 1000,
    ]
    .map(Some)
}

fn set_program(glimpse: &mut Glimpse, name: &str, value: u64) {
    match name {
        "app_bytes" => glimpse.bytes = value,
        "app_state" => glimpse.doing = u8::try_from(value).ok().and_then(Doing::from_number).unwrap_or_default(),
        "send_blocked_us" => glimpse.in_send = value.saturating_mul(1000),
        "recv_blocked_us" => glimpse.in_recv = value.saturating_mul(1000),
        "app_asleep_us" => glimpse.asleep = value.saturating_mul(1000),
        "peer_window_us" => glimpse.in_peer_window = value.saturating_mul(1000),
        _ => glimpse.phase = value as u32,
    }
}

fn memory(memory: &SocketMemory) -> [Option<u64>; 9] {
    [
        memory.receive_allocated,
        memory.receive_buffer,
        memory.transmit_allocated,
        memory.send_buffer,
        memory.forward_allocated,
        memory.send_queued,
        memory.options,
        memory.backlog,
        memory.drops,
    ]
}

fn set_socket(socket: &mut SocketState, name: &str, value: Option<u64>) {
    let memory = &mut socket.memory;
    let field = match name {
        "state" => return socket.state = value.map(|state| state as u8),
        "outq" => &mut socket.outq,
        "unsent" => &mut socket.unsent,
        "inq" => &mut socket.inq,
        "rmem_alloc" => &mut memory.receive_allocated,
        "rcvbuf" => &mut memory.receive_buffer,
        "wmem_alloc" => &mut memory.transmit_allocated,
        "sndbuf" => &mut memory.send_buffer,
        "fwd_alloc" => &mut memory.forward_allocated,
        "wmem_queued" => &mut memory.send_queued,
        "optmem" => &mut memory.options,
        "backlog" => &mut memory.backlog,
        "drops" => &mut memory.drops,
        _ => match socket.info.field_mut(name) {
            Some(field) => field,
            None => return,
        },
    };
    *field = value;
}

/// Parses seconds exactly, to the nanosecond. A float would be wrong by up to 200 ns.
fn seconds(text: &str) -> Option<Timestamp> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = fraction.get(..fraction.len().min(9))?;
    let nanos: i64 = format!("{digits:0<9}").parse().ok()?;
    Some(Timestamp::from_nanos(whole.parse::<i64>().ok()?.checked_mul(1_000_000_000)?.checked_add(nanos)?))
}

fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("not a series of samples: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let mut known = Sample {
            time: Timestamp::from_nanos(1_795_229_472_193_709_021),
            took: 8000,
            program: Some(Glimpse {
                doing: Doing::PeerWindow,
                bytes: 7,
                phase: 2,
                in_send: 1000,
                in_recv: 2000,
                asleep: 0,
                in_peer_window: 3000,
            }),
            ..Sample::default()
        };
        known.socket.outq = Some(0);
        known.socket.state = Some(1);
        known.socket.memory.send_buffer = Some(32_768);
        known.socket.info.snd_cwnd = Some(10);
        let unknown = Sample { time: Timestamp::from_nanos(1_000_000_001), ..Sample::default() };
        let foreign = Sample { awaits_room: Some(false), nodelay: Some(true), ..unknown };
        let mut text = Vec::new();
        write_series(&[known, unknown, foreign], &mut text).unwrap();
        assert_eq!(read_series(text.as_slice()).unwrap(), [known, unknown, foreign]);
    }

    #[test]
    fn damage_is_an_error() {
        assert!(read_series("".as_bytes()).is_err());
        assert!(read_series("time,outq\n1.0".as_bytes()).is_err());
        assert!(read_series("time,outq\n1.0,x".as_bytes()).is_err());
        assert_eq!(read_series("time,strange\n1.5,3\n".as_bytes()).unwrap()[0].time.as_nanos(), 1_500_000_000);
    }
}
