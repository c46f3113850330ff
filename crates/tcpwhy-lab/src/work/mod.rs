//! The two programs of a transfer: a writer and a reader, or a client and a server.

mod activity;
mod connection;
mod credit;
mod ending;
mod foreign;
mod log;
mod stop;
mod stream;
mod talk;
mod turns;

use std::io;
use std::net::SocketAddr;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use socket2::{SockAddr, Socket};

pub(crate) use self::activity::Activity;
pub use self::activity::{Doing, Glimpse};
use self::connection::{Connection, ResetAsAsked};
pub(crate) use self::foreign::log as foreign_log;
pub use self::log::{Leave, Log};
use self::stop::Stop;
use crate::ends::Ends;
use crate::{LabError, sampler, wall};
use tcpwhy_scenario::{End, EndSpec, Scenario, Work};

/// Port of the listener.
pub(crate) const PORT: u16 = 5001;

/// Longest wait for the programs to stop after the time limit of the run.
const STOPPING: Duration = Duration::from_secs(5);

/// Two programs at work.
pub struct Running {
    watched: [Watched; 2],
    threads: [Option<JoinHandle<Log>>; 2],
    ended: Receiver<End>,
    stop: Arc<Stop>,
    ends_at: Instant,
}

/// The sampler's view of a program. The socket is set when the program is connected.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watched {
    pub(crate) activity: Arc<Activity>,
    pub(crate) socket: Arc<OnceLock<Arc<Socket>>>,
}

/// Both programs before their work: their sockets exist, and one of them listens.
pub struct Opened {
    scenario: Scenario,
    opener: End,
    address: SocketAddr,
    sockets: [Arc<Socket>; 2],
}

/// Creates the sockets in their namespaces. It needs the capability to enter them, and the one to choose any
/// congestion control.
///
/// # Errors
/// If the kernel refuses an option that the scenario asks for.
pub fn open(scenario: &Scenario, ends: &Ends) -> Result<Opened, LabError> {
    let Some(opener) = scenario.work.opener() else {
        return Err(LabError::io("programs of others do not run here", io::ErrorKind::Unsupported));
    };
    let listener = opener.other();
    let address = SocketAddr::new(ends.address(listener), PORT);
    let open = |end: End| -> Result<Arc<Socket>, LabError> {
        let made = ends.namespace(end).run(|| connection::socket(end, address, scenario.end(end)));
        made.map_err(|error| LabError::io(format!("the {end}'s socket"), error))?.map(Arc::new)
    };
    let sockets = [open(End::Sender)?, open(End::Receiver)?];
    connection::listen(&sockets[listener.index()], address)
        .map_err(|error| LabError::io(format!("listening at the {listener}"), error))?;
    Ok(Opened { scenario: scenario.clone(), opener, address, sockets })
}

/// Opens the connection and begins the work.
///
/// # Errors
/// If no thread can be started.
pub fn start(opened: Opened) -> Result<Running, LabError> {
    let Opened { scenario, opener, address, sockets } = opened;
    let listener = opener.other();
    let (tell, ended) = channel();
    let stop = Arc::new(Stop::default());
    let mut running = Running {
        watched: Default::default(),
        threads: [None, None],
        ended,
        stop: Arc::clone(&stop),
        ends_at: Instant::now() + scenario.deadline.into(),
    };
    for end in [listener, opener] {
        let program = Program {
            end,
            work: scenario.work.clone(),
            seed: scenario.seed,
            socket: Arc::clone(&sockets[end.index()]),
            peer: (end == opener).then(|| address.into()),
            late: Some(scenario.end(end)).filter(|spec| spec.late_buffers).cloned(),
            watched: running.watched[end.index()].clone(),
            stop: Arc::clone(&stop),
            tell: tell.clone(),
        };
        stop.watch(&program.socket);
        let thread = std::thread::Builder::new().name(end.to_string()).spawn(move || program.run());
        running.threads[end.index()] =
            Some(thread.map_err(|error| LabError::io(format!("starting the {end}"), error))?);
    }
    Ok(running)
}

impl Running {
    /// The program at `end`, for the sampler.
    pub(crate) fn watched(&self, end: End) -> Watched {
        self.watched[end.index()].clone()
    }

    /// Waits until both have ended, and stops them at the time limit.
    pub fn wait(mut self) -> [Log; 2] {
        let mut is_over = false;
        let mut left = self.threads.iter().flatten().count();
        while left > 0 {
            let patience = self.ends_at.saturating_duration_since(Instant::now());
            match self.ended.recv_timeout(patience) {
                Ok(_) => left -= 1,
                Err(RecvTimeoutError::Timeout) if !is_over => {
                    is_over = true;
                    self.stop.now();
                    self.ends_at = Instant::now() + STOPPING;
                }
                // A program that cannot be stopped ends with the process.
                Err(_) => break,
            }
        }
        let log = |thread: Option<JoinHandle<Log>>| match thread {
            Some(thread) if thread.is_finished() || left == 0 => thread.join().unwrap_or_else(|_| lost("it panicked")),
            _ => lost("it could not be ended"),
        };
        [log(self.threads[0].take()), log(self.threads[1].take())]
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.now();
    }
}

fn lost(why: &str) -> Log {
    Log { failure: Some(why.to_owned()), ..Log::default() }
}

/// A program of the transfer.
struct Program {
    end: End,
    work: Work,
    seed: u64,
    /// The listener, or the socket to connect.
    socket: Arc<Socket>,
    /// The address to connect to; `None` if the program listens.
    peer: Option<SockAddr>,
    /// Buffers to set once the connection is open.
    late: Option<EndSpec>,
    watched: Watched,
    stop: Arc<Stop>,
    tell: Sender<End>,
}

impl Program {
    fn run(self) -> Log {
        wall::sleep_precisely();
        let mut log = Log::default();
        let worked = self.work(&mut log);
        if worked.as_ref().is_err_and(|error| self.is_asked(error)) {
            // The program that reset the connection has noted it; the other one notices it here.
            log.reset_by_peer = log.left.is_none().then(wall::now);
        } else if let Err(error) = worked {
            log.failure = Some(if self.stop.is_over() {
                "it was not done when its time was over".to_owned()
            } else {
                error.to_string()
            });
            if log.connected.is_none() {
                // Otherwise the other program would wait for a connection that cannot come.
                self.stop.now();
            }
        }
        self.watched.activity.end();
        log.spent = self.watched.activity.glimpse();
        // The receiver may have given up, so an error does not matter.
        let _ = self.tell.send(self.end);
        log
    }

    /// Whether the scenario asks for the reset that ended this program's work.
    fn is_asked(&self, error: &io::Error) -> bool {
        let is_ours = error.get_ref().and_then(|inner| inner.downcast_ref::<ResetAsAsked>()).is_some();
        let is_theirs = || {
            let is_reset = matches!(
                error.kind(),
                io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe | io::ErrorKind::NotConnected
            );
            is_reset && self.reset_after(self.end.other()).is_some()
        };
        is_ours || is_theirs()
    }

    /// Payload bytes in the measured direction after which `end` resets the connection.
    fn reset_after(&self, end: End) -> Option<u64> {
        self.work.ending().and_then(|ending| ending.reset_by(end))
    }

    fn work(&self, log: &mut Log) -> io::Result<()> {
        let socket = self.open(log)?;
        if let Some(spec) = &self.late {
            connection::set_buffers(&socket, spec)?;
        }
        log.connected = Some(wall::now());
        let _ = self.watched.socket.set(Arc::clone(&socket));
        log.congestion_control = connection::congestion_control(&socket)?;
        let activity = &*self.watched.activity;
        let mut connection = Connection {
            end: self.end,
            socket: Arc::clone(&socket),
            activity,
            stop: &self.stop,
            log,
            until_reset: self.reset_after(self.end),
        };
        let done = match &self.work {
            Work::Stream(stream) if self.end == End::Sender => stream::write(stream, self.seed, &mut connection),
            Work::Stream(stream) => stream::read(stream, self.seed, &mut connection),
            Work::Turns(turns) => turns::take(turns, self.end, &mut connection),
            Work::Talk(talk) => talk::take(talk, &mut connection),
            Work::Application(_) => Err(io::ErrorKind::Unsupported.into()),
        };
        if connection.log.last_state.is_none() {
            connection.log.last_state = sampler::SocketState::read(&*socket).ok();
        }
        self.stop.forget(&socket);
        done
    }

    fn open(&self, log: &mut Log) -> io::Result<Arc<Socket>> {
        if let Some(peer) = &self.peer {
            log.opened = Some(wall::now());
            self.socket.connect(peer)?;
            return Ok(Arc::clone(&self.socket));
        }
        let (socket, _) = self.socket.accept()?;
        self.stop.forget(&self.socket);
        log.opened = Some(wall::now());
        let socket = Arc::new(socket);
        self.stop.watch(&socket);
        Ok(socket)
    }
}
