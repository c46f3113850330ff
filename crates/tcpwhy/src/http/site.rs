//! What is served.

use std::rc::Rc;

use hyper::body::Incoming;
use hyper::{Request, Response};

use super::answer::Pieces;
use super::watch::Watch;

/// What is served.
pub(crate) trait Site {
    /// Answers `request` on the connection of `watch`, which is told ([`Watch::begin`]) when the request is one to be answered.
    async fn answer(&self, request: Request<Incoming>, watch: Rc<Watch>) -> Response<Pieces>;
}
