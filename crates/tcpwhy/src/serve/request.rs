//! Validation of requests.

use std::net::SocketAddr;

use hyper::http::request::Parts;
use hyper::http::uri::Authority;
use hyper::{HeaderMap, Method, StatusCode, header};
use tcpwhy_view::Query;
use tcpwhy_view::data::CHART_PATH;

use super::token::Token;
use crate::http::limits::TARGET_BYTES;
use crate::http::{Answer, port_of_own_host};

/// The address and token that a valid request names.
pub(super) struct Door {
    /// The address that it listens on.
    pub(super) address: SocketAddr,
    /// The first segment of all its paths.
    pub(super) token: Token,
}

/// The target of a request with the token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Wanted {
    /// The page.
    Page,
    /// The page without the final slash, which the page's relative links need.
    Slash,
    /// A chart in more detail.
    Chart(Query),
}

/// The reason for refusing a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Not exactly one `Host` header, or one that is not text.
    Malformed,
    /// The request names another server: a page from another site may use its own name for this one (DNS
    /// rebinding).
    Misdirected,
    /// The request comes from a page of another site.
    CrossSite,
    /// Its target is longer than any valid one.
    TooLong,
    /// Without the token: the answer reveals nothing about the paths behind it.
    Unknown,
    /// With the token: no such path.
    NotFound,
    /// With the token: not `GET` or `HEAD`.
    Method,
    /// With the token: a body, which is never read.
    Body,
    /// With the token: an invalid query.
    Query,
}

impl Refusal {
    /// Whether the request named the token.
    pub(super) fn knows_token(self) -> bool {
        matches!(self, Self::NotFound | Self::Method | Self::Body | Self::Query)
    }

    /// The response to send.
    pub(super) fn answer(self) -> Answer {
        let (status, text) = match self {
            Self::Malformed => (StatusCode::BAD_REQUEST, "One Host, please."),
            Self::Misdirected => (StatusCode::MISDIRECTED_REQUEST, "This server answers to its address only."),
            Self::CrossSite => (StatusCode::FORBIDDEN, "This server answers to its own page only."),
            Self::TooLong => (StatusCode::URI_TOO_LONG, "No path here is that long."),
            Self::Unknown => (StatusCode::NOT_FOUND, "Not found. The whole address is what tcpwhy serve has printed."),
            Self::NotFound => (StatusCode::NOT_FOUND, "Not found."),
            Self::Method => (StatusCode::METHOD_NOT_ALLOWED, "GET and HEAD only."),
            Self::Body => (StatusCode::PAYLOAD_TOO_LARGE, "Requests have no body here."),
            Self::Query => (StatusCode::BAD_REQUEST, "connection=N, with from=S&to=S if only a part is wanted."),
        };
        let answer = Answer::plain(status, text);
        match self {
            Self::Method => answer.with(header::ALLOW, header::HeaderValue::from_static("GET, HEAD")),
            // A client without the token gets one response per connection; a body is not read.
            _ if !self.knows_token() || self == Self::Body => {
                answer.with(header::CONNECTION, header::HeaderValue::from_static("close"))
            }
            _ => answer,
        }
    }
}

impl Door {
    /// The target of `request`, or the reason to refuse it; `has_body` if it announces content.
    pub(super) fn admit(&self, request: &Parts, has_body: bool) -> Result<Wanted, Refusal> {
        let mut hosts = request.headers.get_all(header::HOST).into_iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else { return Err(Refusal::Malformed) };
        let host = host.to_str().map_err(|_| Refusal::Malformed)?;
        // A request to a proxy names the server in its target.
        let named = request.uri.authority().map(Authority::as_str);
        if !std::iter::once(host).chain(named).all(|name| is_own(name, self.address)) {
            return Err(Refusal::Misdirected);
        }
        if is_cross_site(&request.headers, host) {
            return Err(Refusal::CrossSite);
        }
        if request.uri.path_and_query().is_some_and(|target| target.as_str().len() > TARGET_BYTES) {
            return Err(Refusal::TooLong);
        }
        let path = request.uri.path().strip_prefix('/').ok_or(Refusal::Unknown)?;
        let (token, path) = path.split_once('/').map_or((path, None), |(token, path)| (token, Some(path)));
        if !self.token.is(token) {
            return Err(Refusal::Unknown);
        }
        if !matches!(request.method, Method::GET | Method::HEAD) {
            return Err(Refusal::Method);
        }
        if has_body {
            return Err(Refusal::Body);
        }
        match path {
            None => Ok(Wanted::Slash),
            Some("") => Ok(Wanted::Page),
            Some(path) if path == CHART_PATH => {
                Query::parse(request.uri.query().unwrap_or_default()).map(Wanted::Chart).ok_or(Refusal::Query)
            }
            Some(_) => Err(Refusal::NotFound),
        }
    }
}

/// Whether a `Host` header names this server by an address, or as `localhost`, with its port.
fn is_own(host: &str, address: SocketAddr) -> bool {
    port_of_own_host(host) == Some(address.port())
}

/// Whether a browser's headers show that a page of another site made the request. Such a page may only link
/// here, because it cannot read the linked page. Clients other than browsers send no such headers.
fn is_cross_site(headers: &HeaderMap, host: &str) -> bool {
    let is = |name: &str, values: &[&str]| headers.get(name).is_some_and(|v| values.iter().any(|value| v == value));
    let is_foreign = headers.contains_key("sec-fetch-site") && !is("sec-fetch-site", &["same-origin", "none"]);
    let is_link = is("sec-fetch-mode", &["navigate"]) && is("sec-fetch-dest", &["document"]);
    let own = format!("http://{host}");
    (is_foreign && !is_link) || headers.get_all(header::ORIGIN).iter().any(|origin| origin != own.as_str())
}

#[cfg(test)]
mod tests {
    use hyper::Request;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    fn door() -> Door {
        Door { address: "127.0.0.1:8080".parse().unwrap(), token: Token::random().unwrap() }
    }

    /// The result of `door` for a request; `TOKEN` in the target is replaced by its token.
    fn admit(door: &Door, method: &str, target: &str, headers: &[(&str, &str)]) -> Result<Wanted, Refusal> {
        let target = target.replace("TOKEN", &door.token.to_string());
        let request = headers.iter().fold(Request::builder().method(method).uri(target), |r, (n, v)| r.header(*n, *v));
        door.admit(&request.body(()).unwrap().into_parts().0, false)
    }

    #[test]
    fn only_addresses_and_localhost_are_own() {
        let address = "127.0.0.1:8080".parse().unwrap();
        for host in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080", "192.0.2.1:8080"] {
            assert!(is_own(host, address), "{host}");
        }
        for host in
            ["evil.example:8080", "127.0.0.1", "127.0.0.1:80", "localhost", "127.0.0.1.evil.example:8080", "", ":8080"]
        {
            assert!(!is_own(host, address), "{host}");
        }
    }

    #[test]
    fn targets() {
        let door = door();
        let whole = Query { connection: 3, stretch: None };
        let long = format!("/TOKEN/{}", "x".repeat(TARGET_BYTES));
        for (method, target, answer) in [
            ("GET", "/TOKEN/", Ok(Wanted::Page)),
            ("HEAD", "/TOKEN/", Ok(Wanted::Page)),
            ("GET", "/TOKEN/?x", Ok(Wanted::Page)),
            ("GET", "/TOKEN", Ok(Wanted::Slash)),
            ("GET", "/TOKEN/api/chart?connection=3", Ok(Wanted::Chart(whole))),
            ("GET", "http://127.0.0.1:8080/TOKEN/", Ok(Wanted::Page)),
            ("GET", "/TOKEN/api/chart", Err(Refusal::Query)),
            ("GET", "/TOKEN/api/chart/", Err(Refusal::NotFound)),
            ("GET", "/TOKEN//", Err(Refusal::NotFound)),
            ("POST", "/TOKEN/", Err(Refusal::Method)),
            ("get", "/TOKEN/", Err(Refusal::Method)),
            ("GET", "/", Err(Refusal::Unknown)),
            ("POST", "/", Err(Refusal::Unknown)),
            ("OPTIONS", "*", Err(Refusal::Unknown)),
            ("GET", "//TOKEN/", Err(Refusal::Unknown)),
            ("GET", "/?/TOKEN/", Err(Refusal::Unknown)),
            ("GET", "/TOKENx/", Err(Refusal::Unknown)),
            ("GET", "/%20TOKEN/", Err(Refusal::Unknown)),
            ("GET", "/api/chart?connection=3", Err(Refusal::Unknown)),
            ("GET", &long, Err(Refusal::TooLong)),
            ("GET", "http://evil.example/TOKEN/", Err(Refusal::Misdirected)),
            ("CONNECT", "evil.example:443", Err(Refusal::Misdirected)),
            ("CONNECT", "127.0.0.1:8080", Err(Refusal::Unknown)),
        ] {
            assert_eq!(admit(&door, method, target, &[("host", "localhost:8080")]), answer, "{method} {target}");
        }
    }

    #[test]
    fn a_page_from_elsewhere_may_only_lead_here() {
        let door = door();
        let own = ("host", "127.0.0.1:8080");
        for (headers, answer) in [
            (&[][..], Ok(Wanted::Page)),
            (&[("sec-fetch-site", "none")], Ok(Wanted::Page)),
            (&[("sec-fetch-site", "same-origin"), ("origin", "http://127.0.0.1:8080")], Ok(Wanted::Page)),
            (
                &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")],
                Ok(Wanted::Page),
            ),
            (
                &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "iframe")],
                Err(Refusal::CrossSite),
            ),
            (&[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")], Err(Refusal::CrossSite)),
            // Another server on this host.
            (&[("sec-fetch-site", "same-site")], Err(Refusal::CrossSite)),
            (&[("origin", "http://127.0.0.1:9090")], Err(Refusal::CrossSite)),
            (&[("origin", "null")], Err(Refusal::CrossSite)),
            (&[("host", "127.0.0.1:8080")], Err(Refusal::Malformed)),
        ] {
            let headers: Vec<_> = std::iter::once(own).chain(headers.iter().copied()).collect();
            assert_eq!(admit(&door, "GET", "/TOKEN/", &headers), answer, "{headers:?}");
        }
        assert_eq!(admit(&door, "GET", "/TOKEN/", &[]), Err(Refusal::Malformed));
        assert_eq!(admit(&door, "GET", "/TOKEN/", &[("host", "evil.example:8080")]), Err(Refusal::Misdirected));
    }

    proptest! {
        /// A request that does not name this server and the token learns nothing about the paths behind it.
        #[test]
        fn nothing_is_told_without_the_token(
            method in select(vec!["GET", "HEAD", "POST", "CONNECT", "OPTIONS"]),
            target in vec(select(vec![
                "/", "TOKEN", "TOKE", "?", "#", "%2f", "..", ".", "api", "/api/chart", "connection=", "3", "&from=", "to=1e999", "-1",
                "http://", "127.0.0.1:8080", "evil.example:8080", "@", ":", "*", "x",
            ]), 1..9),
            host in select(vec!["127.0.0.1:8080", "localhost:8080", "[::1]:8080", "evil.example:8080", "127.0.0.1:80", "", "@"]),
            headers in vec((
                select(vec!["origin", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest", "host"]),
                select(vec!["none", "same-origin", "cross-site", "navigate", "document", "http://127.0.0.1:8080", "http://evil.example"]),
            ), 0..3),
        ) {
            let door = door();
            let target = target.concat().replace("TOKEN", &door.token.to_string());
            let named = std::iter::once(("host", host)).chain(headers.iter().copied());
            let request = named.clone().fold(Request::builder().method(method).uri(&target), |r, (n, v)| r.header(n, v));
            // The HTTP library rejects malformed requests before.
            let Ok(request) = request.body(()) else { return Ok(()) };
            let parts = request.into_parts().0;
            let answer = door.admit(&parts, false);
            if answer.is_ok() || answer.is_err_and(Refusal::knows_token) {
                prop_assert_eq!(parts.uri.path().split('/').nth(1), Some(&*door.token.to_string()), "{}", target);
                let is_foreign = |name: &str| name.contains("evil");
                prop_assert!(!is_foreign(host) && !parts.uri.host().is_some_and(is_foreign), "{host} {target}");
                prop_assert!(!headers.contains(&("origin", "http://evil.example")));
            }
        }
    }
}
