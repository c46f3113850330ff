//! Connections: how many there are, how long each lasts, which goes first.

use std::convert::Infallible;
use std::io::{self, ErrorKind};
use std::pin::pin;
use std::rc::Rc;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{AbortHandle, spawn_local, yield_now};
use tokio::time::{Instant, sleep, timeout_at};

use super::limits::{ACCEPT_PAUSE, HEAD_BYTES, HEAD_TIME, HEADERS, ROOM_PAUSE, WATCH_INTERVAL};
use super::site::Site;
use super::watch::{Use, Watch};

/// The open ones, from the oldest on.
struct Connections {
    open: Vec<(AbortHandle, Rc<Watch>)>,
    limit: usize,
    /// How many the system allowed when it last refused one, and until when that is believed.
    scarce: Option<(usize, Instant)>,
}

/// Accepts connections on `listener` for ever, `limit` at a time, and answers them.
pub(super) async fn accept(listener: TcpListener, site: Rc<impl Site + 'static>, limit: usize) {
    let mut connections = Connections { open: Vec::new(), limit, scarce: None };
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                // Whoever comes after this one waits as well: in the kernel's queue.
                let until = Instant::now() + HEAD_TIME;
                let mut has_room = connections.make_room();
                while !has_room && Instant::now() < until {
                    sleep(ROOM_PAUSE).await;
                    has_room = connections.make_room();
                }
                if has_room {
                    let watch = Rc::new(Watch::new());
                    let task = spawn_local(serve(stream, Rc::clone(&site), Rc::clone(&watch)));
                    connections.open.push((task.abort_handle(), watch));
                }
            }
            Err(error) if is_of_one_connection(&error) => {}
            // No descriptors or no memory: what comes next would fail too.
            Err(_) => {
                connections.shrink();
                sleep(ACCEPT_PAUSE).await;
            }
        }
        // A request that came with the connection is read before the next connection could take its place.
        yield_now().await;
    }
}

impl Connections {
    /// Whether there may be another, if need be in the place of the one that can best be spared.
    fn make_room(&mut self) -> bool {
        self.open.retain(|(task, _)| !task.is_finished());
        while !self.has_room() {
            if !self.spare() {
                return false;
            }
        }
        true
    }

    fn has_room(&self) -> bool {
        let limit = self.scarce.filter(|(_, until)| Instant::now() < *until).map_or(self.limit, |(limit, _)| limit);
        self.open.len() < limit
    }

    /// The system could not give another: for a while as many as there are have to do, less one that can be spared.
    fn shrink(&mut self) {
        self.open.retain(|(task, _)| !task.is_finished());
        self.spare();
        self.scarce = Some((self.open.len().max(1), Instant::now() + HEAD_TIME));
    }

    /// Ends the oldest of those that can best be spared; of those that are busy only one whose client is slow.
    fn spare(&mut self) -> bool {
        let now = Instant::now();
        let first = self.open.iter().enumerate().min_by_key(|(_, (_, watch))| watch.usage());
        let spared = match first {
            Some((index, (_, watch))) if watch.usage() != Use::Busy => Some(index),
            _ => {
                let slow = |(index, (_, watch)): (usize, &(_, Rc<Watch>))| Some((watch.slowness(now)?, index));
                self.open.iter().enumerate().filter_map(slow).max().map(|(_, index)| index)
            }
        };
        if let Some(index) = spared {
            self.open.remove(index).0.abort();
        }
        spared.is_some()
    }
}

/// Whether accepting failed for what the client did.
fn is_of_one_connection(error: &io::Error) -> bool {
    use ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

/// Answers the requests on one connection until it ends or its time is over.
async fn serve(stream: TcpStream, site: Rc<impl Site>, watch: Rc<Watch>) {
    // Answers are written whole: waiting for more of them would only delay their end.
    let _ = stream.set_nodelay(true);
    let service = service_fn(|request| {
        let (site, watch) = (Rc::clone(&site), Rc::clone(&watch));
        async move { Ok::<_, Infallible>(site.answer(request, watch).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_headers(HEADERS)
        .max_header_size(HEAD_BYTES)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    loop {
        let check = watch.deadline().min(Instant::now() + WATCH_INTERVAL);
        match timeout_at(check, connection.as_mut()).await {
            // Its end, or what the client did wrong; it has been told if it listens.
            Ok(_) => return,
            Err(_) if watch.deadline() <= Instant::now() => return,
            Err(_) => {}
        }
    }
}
