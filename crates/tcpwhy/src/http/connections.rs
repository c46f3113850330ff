//! Open connections: their number, their deadlines, and which one is closed to make room.

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

/// The open connections, the oldest first.
struct Connections {
    open: Vec<(AbortHandle, Rc<Watch>)>,
    limit: usize,
    /// The number of connections at which the system last refused one, and the end of that limit.
    scarce: Option<(usize, Instant)>,
}

/// Accepts connections on `listener` for ever, at most `limit` at the same time, and serves them.
pub(super) async fn accept(listener: TcpListener, site: Rc<impl Site + 'static>, limit: usize) {
    let mut connections = Connections { open: Vec::new(), limit, scarce: None };
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                // Later connections wait in the kernel's accept queue.
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
            // Without descriptors or memory, the next connection would fail, too.
            Err(_) => {
                connections.shrink();
                sleep(ACCEPT_PAUSE).await;
            }
        }
        // Reads a request that arrived with the connection before the next connection could displace it.
        yield_now().await;
    }
}

impl Connections {
    /// Whether one more connection fits, if necessary after closing the least useful one.
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

    /// Lowers the limit for a while after the system refused a connection: to the busy ones, less one that is
    /// closed.
    fn shrink(&mut self) {
        self.open.retain(|(task, _)| !task.is_finished());
        self.spare();
        self.scarce = Some((self.open.len().max(1), Instant::now() + HEAD_TIME));
    }

    /// Closes the oldest of the least useful connections; among busy ones only one whose client is slow.
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

/// Whether the client caused the failure of `accept`.
fn is_of_one_connection(error: &io::Error) -> bool {
    use ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

/// Serves the requests on one connection until it closes or reaches its deadline.
async fn serve(stream: TcpStream, site: Rc<impl Site>, watch: Rc<Watch>) {
    // Responses are written whole, so Nagle's algorithm would only delay their last segment.
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
            // The connection has closed, or the client made an error and got a response.
            Ok(_) => return,
            Err(_) if watch.deadline() <= Instant::now() => return,
            Err(_) => {}
        }
    }
}
