//! From a request to its answer.

use std::net::{IpAddr, SocketAddr};

use tcpwhy_view::data::CHART_PATH;
use tiny_http::{Method, Request};

use super::detail::Details;

/// What does not change from request to request.
pub(super) struct Page {
    /// The page.
    pub(super) html: String,
    /// What it may do.
    pub(super) policy: String,
    /// Where it is served.
    pub(super) address: SocketAddr,
}

/// What is sent back.
pub(super) struct Answer {
    /// HTTP status.
    pub(super) status: u16,
    /// Media type.
    pub(super) kind: &'static str,
    /// Content.
    pub(super) body: String,
}

impl Answer {
    fn plain(status: u16, text: &str) -> Self {
        Self { status, kind: "text/plain; charset=utf-8", body: format!("{text}\n") }
    }
}

/// What is asked of the captures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Query {
    /// Number of the connection.
    pub(super) connection: u64,
    /// Seconds from its first packet; all of it if `None`.
    pub(super) stretch: Option<(f64, f64)>,
}

/// Answers `request`.
pub(super) fn answer(request: &Request, page: &Page, details: &Details) -> Answer {
    let host = request.headers().iter().find(|h| h.field.equiv("Host")).map(|h| h.value.as_str());
    if !host.is_some_and(|host| is_own(host, page.address)) {
        return Answer::plain(421, "This server answers to its address only.");
    }
    if !matches!(request.method(), Method::Get | Method::Head) {
        return Answer::plain(405, "GET only.");
    }
    let (path, query) = request.url().split_once('?').unwrap_or((request.url(), ""));
    match path.strip_prefix('/') {
        Some("") => Answer { status: 200, kind: "text/html; charset=utf-8", body: page.html.clone() },
        Some(path) if path == CHART_PATH => match parse(query) {
            Some(query) => match details.answer(query) {
                Ok(Some(body)) => Answer { status: 200, kind: "application/json", body },
                Ok(None) => Answer::plain(404, "No such connection."),
                Err(error) => Answer::plain(500, &error.to_string()),
            },
            None => Answer::plain(400, "connection=N, with from=S&to=S if only a part is wanted."),
        },
        _ => Answer::plain(404, "Not found."),
    }
}

/// Whether a `Host` header names this server by an address, or as `localhost`, with its port: a name could be anybody's.
fn is_own(host: &str, address: SocketAddr) -> bool {
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
        _ => (host, Some(80)),
    };
    let name = name.trim_start_matches('[').trim_end_matches(']');
    port == Some(address.port()) && (name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok())
}

fn parse(query: &str) -> Option<Query> {
    let (mut connection, mut from, mut to) = (None, None, None);
    let seconds = |value: &str| value.parse::<f64>().ok().filter(|s| (-1.0..=1e9).contains(s));
    for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
        match name {
            "connection" => connection = Some(value.parse().ok()?),
            "from" => from = Some(seconds(value)?),
            "to" => to = Some(seconds(value)?),
            _ => {}
        }
    }
    let stretch = match (from, to) {
        (None, None) => None,
        (from, to) => {
            let stretch = (from.unwrap_or(0.0), to.unwrap_or(1e9));
            (stretch.0 <= stretch.1).then_some(Some(stretch))?
        }
    };
    Some(Query { connection: connection?, stretch })
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn queries() {
        let all = Query { connection: 3, stretch: None };
        assert_eq!(parse("connection=3"), Some(all));
        let part = Query { connection: 3, stretch: Some((1.5, 2.0)) };
        assert_eq!(parse("connection=3&from=1.5&to=2&x=y"), Some(part));
        for bad in
            ["", "connection=", "connection=-1", "connection=1&from=NaN", "connection=1&from=3&to=2", "from=1&to=2"]
        {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
