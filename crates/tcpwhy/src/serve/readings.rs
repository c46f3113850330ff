//! Reads the captures for one request at a time: parallel passes would only compete for disk and processors.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::header::{self, HeaderValue};
use tcpwhy_view::Query;
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;

use super::detail::Details;
use crate::http::limits::READINGS_WAITING;
use crate::http::{Answer, Coding, gzip};

/// The captures, and the number of waiting requests.
pub(super) struct Readings {
    details: Arc<Mutex<Details>>,
    waiting: Cell<usize>,
}

impl Readings {
    pub(super) fn new(details: Details) -> Self {
        Self { details: Arc::new(Mutex::new(details)), waiting: Cell::new(0) }
    }

    /// The answer to `query`. If the future is dropped because the client is gone, a waiting request is
    /// removed and a running read stops soon.
    pub(super) async fn answer(&self, query: Query, accepts_gzip: bool) -> Answer {
        if self.waiting.get() >= READINGS_WAITING {
            return Answer::plain(StatusCode::SERVICE_UNAVAILABLE, "Too many requests wait for the captures.")
                .with(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        let waiting = Waiting::new(&self.waiting);
        let mut details = Arc::clone(&self.details).lock_owned().await;
        drop(waiting);
        let is_unwanted = Unwanted::default();
        let flag = Arc::clone(&is_unwanted.0);
        // The lock moves into the read, so that it is released when the read ends.
        let read = move || {
            let json = details.answer(query, &flag)?;
            Ok(json.map(|json| match accepts_gzip.then(|| gzip::compress(json.as_bytes())).flatten() {
                Some(packed) => Answer::ok("application/json", packed).coded(Coding::Gzip),
                None => Answer::ok("application/json", Bytes::from(json)).coded(Coding::Plain),
            }))
        };
        match spawn_blocking(read).await {
            Ok(Ok(Some(answer))) => answer,
            Ok(Ok(None)) => Answer::plain(StatusCode::NOT_FOUND, "No such connection."),
            Ok(Err::<_, String>(error)) => Answer::plain(StatusCode::INTERNAL_SERVER_ERROR, &error),
            Err(_) => Answer::plain(StatusCode::INTERNAL_SERVER_ERROR, "The captures could not be read again."),
        }
    }
}

/// Counts a waiting request for as long as this exists.
struct Waiting<'a>(&'a Cell<usize>);

impl<'a> Waiting<'a> {
    fn new(count: &'a Cell<usize>) -> Self {
        count.set(count.get() + 1);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

/// Sets the flag when the request is dropped.
#[derive(Default)]
struct Unwanted(Arc<AtomicBool>);

impl Drop for Unwanted {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
