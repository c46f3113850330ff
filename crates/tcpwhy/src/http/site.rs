//! The interface between the server and the sites that it serves.

use std::rc::Rc;

use hyper::body::Incoming;
use hyper::{Request, Response};

use super::answer::Pieces;
use super::watch::Watch;

/// A site to serve.
pub(crate) trait Site {
    /// Answers `request` on the connection of `watch`. The implementation calls [`Watch::begin`] once the
    /// request proves valid.
    async fn answer(&self, request: Request<Incoming>, watch: Rc<Watch>) -> Response<Pieces>;
}
