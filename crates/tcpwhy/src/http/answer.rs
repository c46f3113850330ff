//! HTTP responses.

use std::convert::Infallible;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use hyper::Response;
use hyper::StatusCode;
use hyper::body::{Body, Bytes, Frame, SizeHint};
use hyper::header::{self, HeaderName, HeaderValue};

use super::limits::PIECE_BYTES;
use super::watch::Watch;

/// A response before it is assigned to a connection.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// HTTP status.
    pub(crate) status: StatusCode,
    /// Media type.
    pub(crate) kind: &'static str,
    /// Content; a clone shares it.
    pub(crate) content: Bytes,
    /// A header besides the usual ones.
    pub(crate) extra: Option<(HeaderName, HeaderValue)>,
    /// The content coding, where it depends on the client's `Accept-Encoding`.
    pub(crate) coding: Option<Coding>,
}

/// The coding of compressible content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    /// Uncompressed: the client does not accept gzip.
    Plain,
    /// Compressed.
    Gzip,
}

impl Answer {
    /// A response with status 200.
    pub(crate) fn ok(kind: &'static str, content: Bytes) -> Self {
        Self { status: StatusCode::OK, kind, content, extra: None, coding: None }
    }

    /// A response with a line of text.
    pub(crate) fn plain(status: StatusCode, text: &str) -> Self {
        Self {
            status,
            kind: "text/plain; charset=utf-8",
            content: Bytes::from(format!("{text}\n")),
            extra: None,
            coding: None,
        }
    }

    /// Sets the content coding.
    pub(crate) fn coded(self, coding: Coding) -> Self {
        Self { coding: Some(coding), ..self }
    }

    /// Adds a header.
    pub(crate) fn with(self, name: HeaderName, value: HeaderValue) -> Self {
        Self { extra: Some((name, value)), ..self }
    }

    /// Returns the response to send, with the headers that restrict the page in a browser.
    pub(crate) fn into_response(self, policy: &HeaderValue, watch: Rc<Watch>) -> Response<Pieces> {
        let same_origin = HeaderValue::from_static("same-origin");
        let mut response = Response::new(Pieces { rest: self.content, watch });
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.kind));
        headers.insert(header::CONTENT_SECURITY_POLICY, policy.clone());
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(HeaderName::from_static("cross-origin-resource-policy"), same_origin.clone());
        headers.insert(HeaderName::from_static("cross-origin-opener-policy"), same_origin);
        // The address contains the secret token, which must not leak as a referrer.
        headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        if let Some(coding) = self.coding {
            headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
            if coding == Coding::Gzip {
                headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            }
        }
        headers.extend(self.extra);
        response
    }
}

/// Content sent in pieces, so that a client that reads can be distinguished from one that does not.
pub(crate) struct Pieces {
    rest: Bytes,
    watch: Rc<Watch>,
}

impl Body for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.rest.is_empty() {
            return Poll::Ready(None);
        }
        let length = self.rest.len().min(PIECE_BYTES);
        let piece = self.rest.split_to(length);
        self.watch.progress();
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.rest.len() as u64)
    }
}

impl Drop for Pieces {
    fn drop(&mut self) {
        self.watch.rest();
    }
}
