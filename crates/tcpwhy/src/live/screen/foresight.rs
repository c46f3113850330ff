//! Simulated predictions for the displayed connection, computed in the background.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use tcpwhy_analysis::Connection;
use tcpwhy_fit::Budget;
use tcpwhy_model::Timestamp;
use tcpwhy_model::live::SocketKey;
use tcpwhy_watch::LiveConnection;

/// Interval between simulations of an open connection. One simulation takes about 0.5 s of one processor, so
/// this uses 5 %.
const AGAIN: Duration = Duration::from_secs(10);

type Numbered = (SocketKey, Connection);

/// Simulates predictions on a separate thread.
#[derive(Default)]
pub(super) struct Foresight {
    worker: Option<(Sender<Numbered>, Receiver<Numbered>)>,
    /// The last requested connection, its latest sample at that time, and the time of the request.
    asked: Option<(SocketKey, Timestamp, Instant)>,
    is_busy: bool,
    latest: Option<Numbered>,
}

impl Foresight {
    /// `connection` with simulated predictions, as of a few seconds ago. `None` before they are ready.
    pub(super) fn of(&mut self, connection: &LiveConnection) -> Option<&Connection> {
        self.collect();
        let key = connection.key();
        let [_, latest] = connection.seen();
        let is_known =
            self.asked.is_some_and(|(asked, seen, at)| asked == key && (seen == latest || at.elapsed() < AGAIN));
        if !is_known && !self.is_busy {
            self.ask(key, latest, connection.conclude());
        }
        self.latest.as_ref().filter(|(known, _)| *known == key).map(|(_, whole)| whole)
    }

    fn collect(&mut self) {
        let Some((_, found)) = &self.worker else { return };
        while let Ok(numbered) = found.try_recv() {
            self.is_busy = false;
            self.latest = Some(numbered);
        }
    }

    fn ask(&mut self, key: SocketKey, latest: Timestamp, whole: Connection) {
        if self.worker.is_none() {
            self.worker = started();
        }
        self.is_busy = self.worker.as_ref().is_some_and(|(asked, _)| asked.send((key, whole)).is_ok());
        self.asked = Some((key, latest, Instant::now()));
    }
}

/// Starts the thread. `None` if that fails: the predictions by formula remain.
fn started() -> Option<(Sender<Numbered>, Receiver<Numbered>)> {
    let (ask, asked) = channel::<Numbered>();
    let (tell, told) = channel();
    let work = move || {
        while let Ok((key, mut whole)) = asked.recv() {
            Budget::default().predict(&mut whole);
            if tell.send((key, whole)).is_err() {
                break;
            }
        }
    };
    thread::Builder::new().name("foresight".to_owned()).spawn(work).ok()?;
    Some((ask, told))
}
