//! A program's end of the connection.

use std::io::{self, Read as _};
use std::mem::MaybeUninit;
use std::net::{Shutdown, SocketAddr};
use std::os::fd::AsFd as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use socket2::{Domain, Protocol, SockAddr, Socket, TcpKeepalive, Type};
use tcpwhy_model::host::TcpState;

use super::activity::{Activity, Doing};
use super::log::{Leave, Log};
use super::stop::Stop;
use crate::sampler::SocketState;
use crate::{LabError, wall};
use tcpwhy_scenario::{Chooser, End, EndSpec, Waits};

/// A socket with the options of `spec`, before the connection is opened. An accepted socket inherits all of
/// them from its listener.
pub(super) fn socket(end: End, address: SocketAddr, spec: &EndSpec) -> Result<Socket, LabError> {
    let failed = |error| LabError::io(format!("the {end}'s socket"), error);
    let socket =
        Socket::new(Domain::for_address(address), Type::STREAM.cloexec(), Some(Protocol::TCP)).map_err(failed)?;
    match spec.congestion_control_by {
        Chooser::Program => choose_congestion_control(&socket, end, &spec.congestion_control)?,
        // The route sets it when the connection opens.
        Chooser::Host => {}
    }
    let set = || -> io::Result<()> {
        socket.set_tcp_nodelay(spec.nodelay)?;
        if let Some(rest) = spec.keep_alive {
            let rest = Duration::from(rest);
            socket.set_tcp_keepalive(&TcpKeepalive::new().with_time(rest).with_interval(rest))?;
        }
        // The buffers decide the window scale, so they are set before the connection opens.
        if spec.late_buffers { Ok(()) } else { set_buffers(&socket, spec) }
    };
    set().map_err(failed)?;
    Ok(socket)
}

fn choose_congestion_control(socket: &Socket, end: End, wanted: &str) -> Result<(), LabError> {
    // A missing or forbidden module is an error of this call. The comparison finds any other congestion
    // control.
    let asked = socket.set_tcp_congestion(wanted.as_bytes());
    let got = congestion_control(socket).map_err(|error| LabError::io(format!("the {end}'s socket"), error))?;
    if asked.is_err() || got != *wanted {
        return Err(LabError::CongestionControl { end, wanted: wanted.to_owned(), got });
    }
    Ok(())
}

/// Sets `SO_SNDBUF` and `SO_RCVBUF` as `spec` asks.
pub(super) fn set_buffers(socket: &Socket, spec: &EndSpec) -> io::Result<()> {
    if let Some(size) = spec.sndbuf {
        socket.set_send_buffer_size(size.0 as usize)?;
    }
    if let Some(size) = spec.rcvbuf {
        socket.set_recv_buffer_size(size.0 as usize)?;
    }
    Ok(())
}

/// The error if the peer ended its direction before all data had arrived.
pub(super) fn closed_early() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the peer closed too early")
}

/// Waits in `poll()`; errors and hang-ups end the wait too.
fn wait_for(socket: &Socket, what: PollFlags) -> io::Result<()> {
    poll(&mut [PollFd::new(socket, what)], None)?;
    Ok(())
}

/// Makes a socket listen.
pub(super) fn listen(socket: &Socket, address: SocketAddr) -> io::Result<()> {
    socket.set_reuse_address(true)?;
    socket.bind(&SockAddr::from(address))?;
    socket.listen(1)
}

/// The congestion control that a socket uses.
pub(super) fn congestion_control(socket: &Socket) -> io::Result<String> {
    let name = socket.tcp_congestion()?;
    Ok(String::from_utf8_lossy(name.split(|&b| b == 0).next().unwrap_or_default()).into_owned())
}

/// The error that ends the work after a reset that the scenario asks for.
#[derive(Debug, thiserror::Error)]
#[error("reset as asked")]
pub(super) struct ResetAsAsked;

/// An open connection and its log.
pub(super) struct Connection<'a> {
    pub(super) end: End,
    pub(super) socket: Arc<Socket>,
    pub(super) activity: &'a Activity,
    pub(super) stop: &'a Stop,
    pub(super) log: &'a mut Log,
    /// Payload bytes in the measured direction until this end resets the connection.
    pub(super) until_reset: Option<u64>,
}

impl Connection<'_> {
    /// Sends all of `data` by blocking `send()` calls.
    pub(super) fn send(&mut self, mut data: &[u8]) -> io::Result<()> {
        self.log.first_io.get_or_insert_with(wall::now);
        while !data.is_empty() {
            let most = self.most_at_once(End::Sender, data.len());
            let sent = match self.activity.during(Doing::Send, || self.socket.send(&data[..most])) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            self.note_sent(sent)?;
            data = &data[sent..];
        }
        self.log.last_io = Some(wall::now());
        Ok(())
    }

    /// Sends all of `data` as forwarders do: waits in `poll()` until the socket is writable, then sends the
    /// bytes that fit. Both count as time in which the program could not write.
    pub(super) fn send_when_writable(&mut self, mut data: &[u8]) -> io::Result<()> {
        self.log.first_io.get_or_insert_with(wall::now);
        while !data.is_empty() {
            let most = self.most_at_once(End::Sender, data.len());
            let sent = self.activity.during(Doing::Send, || {
                wait_for(&self.socket, PollFlags::OUT)?;
                self.socket.send_with_flags(&data[..most], libc::MSG_DONTWAIT)
            });
            match sent {
                Err(error) if matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock) => {}
                other => {
                    let sent = other?;
                    self.note_sent(sent)?;
                    data = &data[sent..];
                }
            }
        }
        self.log.last_io = Some(wall::now());
        Ok(())
    }

    fn note_sent(&mut self, sent: usize) -> io::Result<()> {
        self.log.sent += sent as u64;
        if self.end == End::Sender {
            self.activity.moved(sent as u64);
            self.count_to_reset(sent as u64)?;
        }
        Ok(())
    }

    /// One `recv()`; 0 at the end of the stream.
    pub(super) fn recv(&mut self, buffer: &mut [MaybeUninit<u8>]) -> io::Result<usize> {
        let most = self.most_at_once(End::Receiver, buffer.len());
        self.received(Doing::Recv, |socket| socket.recv(&mut buffer[..most]))
    }

    /// One `recv()` of bytes that the program evaluates; 0 at the end of the stream.
    pub(super) fn read(&mut self, doing: Doing, buffer: &mut [u8]) -> io::Result<usize> {
        let most = self.most_at_once(End::Receiver, buffer.len());
        self.received(doing, |mut socket| socket.read(&mut buffer[..most]))
    }

    /// One reading call with the activity `doing`; 0 at the end of the stream.
    fn received(&mut self, doing: Doing, mut call: impl FnMut(&Socket) -> io::Result<usize>) -> io::Result<usize> {
        self.log.first_io.get_or_insert_with(wall::now);
        loop {
            match self.activity.during(doing, || call(&self.socket)) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) => return Ok(0),
                other => {
                    let got = other?;
                    self.log.received += got as u64;
                    if self.end == End::Receiver {
                        self.activity.moved(got as u64);
                        self.count_to_reset(got as u64)?;
                    }
                    self.log.last_io = Some(wall::now());
                    return Ok(got);
                }
            }
        }
    }

    /// Reads `bytes`, at most the length of `buffer` per call.
    pub(super) fn recv_exactly(&mut self, bytes: u64, buffer: &mut [MaybeUninit<u8>]) -> io::Result<()> {
        self.recv_exactly_while(Doing::Recv, bytes, buffer)
    }

    /// Reads `bytes`; the time of waiting counts as the activity `doing`.
    pub(super) fn recv_exactly_while(
        &mut self,
        doing: Doing,
        mut bytes: u64,
        buffer: &mut [MaybeUninit<u8>],
    ) -> io::Result<()> {
        while bytes > 0 {
            let room = buffer.len().min(usize::try_from(bytes).unwrap_or(usize::MAX));
            let room = self.most_at_once(End::Receiver, room);
            match self.received(doing, |socket| socket.recv(&mut buffer[..room]))? {
                0 => return Err(closed_early()),
                got => bytes -= got as u64,
            }
        }
        Ok(())
    }

    /// Waits as `waits` specifies until data or the end of the stream is readable.
    pub(super) fn await_readable(&self, waits: Waits) -> io::Result<()> {
        match waits {
            Waits::Call => Ok(()),
            Waits::Poll => self.activity.during(Doing::Recv, || wait_for(&self.socket, PollFlags::IN)),
        }
    }

    /// Whether `recv()` would return at once.
    pub(super) fn is_readable(&self) -> io::Result<bool> {
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        Ok(poll(&mut [PollFd::new(&*self.socket, PollFlags::IN)], Some(&at_once))? > 0)
    }

    /// Most bytes of one call. In the direction that counts towards the reset, the limit is the bytes that
    /// remain until it.
    fn most_at_once(&self, counting: End, len: usize) -> usize {
        let left = self.until_reset.filter(|_| self.end == counting);
        left.map_or(len, |left| len.min(usize::try_from(left).unwrap_or(usize::MAX)))
    }

    fn count_to_reset(&mut self, moved: u64) -> io::Result<()> {
        let Some(left) = &mut self.until_reset else { return Ok(()) };
        *left = left.saturating_sub(moved);
        if *left == 0 { self.reset() } else { Ok(()) }
    }

    /// Resets the connection. Closing the socket would send nothing, because the sampler still has it.
    /// `tcp_disconnect()` does the same as the kernel does when a socket with `SO_LINGER` of 0 s is closed.
    /// It always returns an error, so that the work ends.
    fn reset(&mut self) -> io::Result<()> {
        self.log.last_io = Some(wall::now());
        self.log.last_state = SocketState::read(self.socket.as_fd()).ok();
        self.activity.end();
        self.left(Leave::Reset);
        rustix::net::connect_unspec(&*self.socket)?;
        Err(io::Error::other(ResetAsAsked))
    }

    /// Notes how this end leaves the connection.
    pub(super) fn left(&mut self, how: Leave) {
        self.log.left = Some((how, wall::now()));
    }

    /// Waits for an answer that never comes.
    pub(super) fn wait_for_nothing(&mut self, patience: Duration) -> io::Result<()> {
        self.socket.set_read_timeout(Some(patience))?;
        let answer = self.recv(&mut [MaybeUninit::uninit(); 1]);
        self.socket.set_read_timeout(None)?;
        match answer {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(()),
            Err(error) => Err(error),
            Ok(0) => Err(closed_early()),
            Ok(_) => Err(io::Error::new(io::ErrorKind::InvalidData, "the peer sent more than the scenario says")),
        }
    }

    /// Reads the end of the stream.
    pub(super) fn expect_eof(&mut self) -> io::Result<()> {
        if self.recv(&mut [MaybeUninit::uninit(); 1])? != 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the peer sent more than the scenario says"));
        }
        self.log.eof = Some(wall::now());
        Ok(())
    }

    /// Sleeps until `due`.
    pub(super) fn sleep_until(&self, due: Instant) {
        if due > Instant::now() {
            self.activity.during(Doing::Asleep, || self.stop.sleep_until(due));
        }
    }

    /// Sleeps for `time`.
    pub(super) fn rest(&self, time: Duration) {
        self.sleep_until(Instant::now() + time);
    }

    /// Notes that the next phase begins.
    pub(super) fn begin_phase(&mut self) {
        self.activity.set_phase(self.log.phases.len() as u32);
        self.log.phases.push(wall::now());
    }

    /// Shuts down the sending direction, and waits until the peer has acknowledged everything.
    pub(super) fn finish_sending(&mut self) -> io::Result<()> {
        self.log.shutdown = Some(wall::now());
        self.socket.shutdown(Shutdown::Write)?;
        let patience = Timespec { tv_sec: 0, tv_nsec: 1_000_000 };
        loop {
            let state = SocketState::read(self.socket.as_fd())?;
            if state.outq == Some(0) {
                self.log.all_acked = Some(wall::now());
                // The state is FIN-WAIT-2 or later, so the FIN is acknowledged too, unless the peer sent a
                // reset.
                return self.socket.take_error()?.map_or(Ok(()), Err);
            }
            if let Some(error) = self.socket.take_error()? {
                return Err(error);
            }
            if state.state == Some(TcpState::Close.number()) {
                return Err(io::ErrorKind::ConnectionReset.into());
            }
            if self.stop.is_over() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            // A peer that closes sends its FIN just after its last acknowledgement.
            match poll(&mut [PollFd::new(&*self.socket, PollFlags::RDHUP)], Some(&patience)) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Reads until the peer has ended its direction too, because closing before that would reset the
    /// connection.
    pub(super) fn read_to_end(&mut self) -> io::Result<()> {
        let mut rest = [0; 4096];
        while self.read(Doing::Recv, &mut rest)? > 0 {}
        Ok(())
    }

    /// Reads the end of the stream, and ends the other direction as well.
    pub(super) fn finish_receiving(&mut self) -> io::Result<()> {
        self.expect_eof()?;
        // An error means that the peer has gone after a reset.
        let _ = self.socket.shutdown(Shutdown::Write);
        Ok(())
    }
}
