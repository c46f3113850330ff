//! The served site: the page, and charts on demand.

use std::rc::Rc;

use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::{Request, Response, StatusCode};

use super::readings::Readings;
use super::request::{Door, Wanted};
use crate::http::{self, Answer, Coding, Pieces, Watch, gzip};

/// The data shared by all requests.
pub(super) struct Site {
    /// The address and token of valid requests.
    pub(super) door: Door,
    /// The page.
    pub(super) page: Bytes,
    /// The page compressed, if that makes it smaller.
    pub(super) packed_page: Option<Bytes>,
    /// The page's `Content-Security-Policy`.
    pub(super) policy: HeaderValue,
    /// The captures, for another pass.
    pub(super) readings: Readings,
}

impl http::Site for Site {
    async fn answer(&self, request: Request<Incoming>, watch: Rc<Watch>) -> Response<Pieces> {
        let (request, body) = request.into_parts();
        let answer = match self.door.admit(&request, !body.is_end_stream()) {
            Ok(wanted) => {
                watch.begin();
                self.find(wanted, gzip::accepts(&request.headers)).await
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
    async fn find(&self, wanted: Wanted, accepts_gzip: bool) -> Answer {
        match wanted {
            Wanted::Page => {
                let kind = "text/html; charset=utf-8";
                match &self.packed_page {
                    Some(packed) if accepts_gzip => Answer::ok(kind, packed.clone()).coded(Coding::Gzip),
                    _ => Answer::ok(kind, self.page.clone()).coded(Coding::Plain),
                }
            }
            Wanted::Slash => match HeaderValue::try_from(format!("/{}/", self.door.token)) {
                Ok(address) => Answer::plain(StatusCode::PERMANENT_REDIRECT, "Here.").with(header::LOCATION, address),
                Err(_) => Answer::plain(StatusCode::NOT_FOUND, "Not found."),
            },
            Wanted::Chart(query) => self.readings.answer(query, accepts_gzip).await,
        }
    }
}
