//! What is sent back.

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

/// An answer before it is tied to a connection.
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
    /// How the content is encoded, where the client could choose.
    pub(crate) coding: Option<Coding>,
}

/// How content that can be compressed is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    /// As it is: the client does not take gzip.
    Plain,
    /// Compressed.
    Gzip,
}

impl Answer {
    /// Content of a media type.
    pub(crate) fn ok(kind: &'static str, content: Bytes) -> Self {
        Self { status: StatusCode::OK, kind, content, extra: None, coding: None }
    }

    /// A line of text.
    pub(crate) fn plain(status: StatusCode, text: &str) -> Self {
        Self {
            status,
            kind: "text/plain; charset=utf-8",
            content: Bytes::from(format!("{text}\n")),
            extra: None,
            coding: None,
        }
    }

    /// The same, sent as `coding`: some clients get the content compressed.
    pub(crate) fn coded(self, coding: Coding) -> Self {
        Self { coding: Some(coding), ..self }
    }

    /// With another header.
    pub(crate) fn with(self, name: HeaderName, value: HeaderValue) -> Self {
        Self { extra: Some((name, value)), ..self }
    }

    /// As it is sent: what it may do in a browser is in its headers.
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
        // The address holds the secret.
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

/// Content handed out in pieces, so that a client that takes them is told from one that does not.
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
