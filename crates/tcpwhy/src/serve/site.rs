//! What is served: the page, and charts on demand.

use std::rc::Rc;

use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::{Request, Response, StatusCode};

use super::readings::Readings;
use super::request::{Door, Wanted};
use crate::http::{self, Answer, Pieces, Watch};

/// What does not change from request to request.
pub(super) struct Site {
    /// How it is asked.
    pub(super) door: Door,
    /// The page.
    pub(super) page: Bytes,
    /// What the page may do.
    pub(super) policy: HeaderValue,
    /// The captures, to be read again.
    pub(super) readings: Readings,
}

impl http::Site for Site {
    async fn answer(&self, request: Request<Incoming>, watch: Rc<Watch>) -> Response<Pieces> {
        let (request, body) = request.into_parts();
        let answer = match self.door.admit(&request, !body.is_end_stream()) {
            Ok(wanted) => {
                watch.begin();
                self.find(wanted).await
            }
            Err(refusal) => {
                if refusal.knows_token() {
                    watch.begin();
                }
                refusal.answer()
            }
        };
        watch.answer();
        answer.into_response(&self.policy, watch)
    }
}

impl Site {
    async fn find(&self, wanted: Wanted) -> Answer {
        match wanted {
            Wanted::Page => Answer::ok("text/html; charset=utf-8", self.page.clone()),
            Wanted::Slash => match HeaderValue::try_from(format!("/{}/", self.door.token)) {
                Ok(address) => Answer::plain(StatusCode::PERMANENT_REDIRECT, "Here.").with(header::LOCATION, address),
                Err(_) => Answer::plain(StatusCode::NOT_FOUND, "Not found."),
            },
            Wanted::Chart(query) => self.readings.answer(query).await,
        }
    }
}
