//! The served site: the metrics, and a page that links to them.

use std::net::IpAddr;
use std::rc::Rc;

use hyper::body::{Body as _, Bytes, Incoming};
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use tcpwhy_report::metrics::Format;

use super::asked::Asked;
use crate::http::limits::TARGET_BYTES;
use crate::http::{self, Answer, Pieces, Watch};

pub(super) const METRICS_PATH: &str = "/metrics";
const PAGE: &str = "<!doctype html><title>tcpwhy</title><p>What limits the TCP connections of this host: <a href=\"/metrics\">metrics</a>.</p>\n";

/// Answers scrapes.
pub(super) struct Exporter {
    pub(super) asked: Rc<Asked>,
    /// The host names that clients may use.
    pub(super) hosts: Hosts,
}

/// The permitted values of a request's `Host`. A hostile page can resolve its own name to this host (DNS
/// rebinding). It cannot use an address, or a name that the user allowed.
#[derive(Clone, Debug)]
pub(super) struct Hosts {
    /// The address that it listens on.
    pub(super) listen: IpAddr,
    /// Names of `--allow-host`.
    pub(super) allowed: Vec<String>,
}

impl Hosts {
    /// Whether `host` is permitted, with any port: behind a tunnel it may differ.
    fn accepts(&self, host: &str) -> bool {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => match port.parse::<u16>() {
                Ok(_) => name,
                Err(_) => return false,
            },
            _ => host,
        };
        let is_same = |allowed: &String| name.trim_end_matches('.').eq_ignore_ascii_case(allowed.trim_end_matches('.'));
        if self.allowed.iter().any(is_same) {
            return true;
        }
        let literal = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        // A link-local address may have a zone (RFC 6874).
        let literal = literal.split('%').next().unwrap_or(literal);
        match literal.parse::<IpAddr>() {
            Ok(address) => {
                let (own, address) = (self.listen.to_canonical(), address.to_canonical());
                own.is_loopback() || own.is_unspecified() || address == own
            }
            Err(_) => self.listen.to_canonical().is_loopback() && name.eq_ignore_ascii_case("localhost"),
        }
    }
}

/// The reason for refusing a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    /// Not exactly one `Host` header, or one that is not text.
    Malformed,
    /// The request names another host or address.
    Misdirected,
    TooLong,
    NotFound,
    Method,
    Body,
}

/// The target of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Page,
    Metrics(Format),
}

impl http::Site for Exporter {
    async fn answer(&self, request: Request<Incoming>, watch: Rc<Watch>) -> Response<Pieces> {
        let (request, body) = request.into_parts();
        let answer = match admit(&request, !body.is_end_stream(), &self.hosts) {
            Ok(wanted) => {
                watch.begin();
                match wanted {
                    Wanted::Page => Answer::ok("text/html; charset=utf-8", Bytes::from_static(PAGE.as_bytes())),
                    Wanted::Metrics(format) => match self.asked.metrics(format).await {
                        Some(text) => Answer::ok(format.media_type(), text),
                        None => Answer::plain(StatusCode::SERVICE_UNAVAILABLE, "Nobody looks at sockets any more."),
                    },
                }
            }
            Err(refusal) => refusal.answer(),
        };
        watch.answer();
        answer.into_response(&HeaderValue::from_static("default-src 'none'"), watch)
    }
}

impl Refusal {
    fn answer(self) -> Answer {
        let (status, text) = match self {
            Self::Malformed => (StatusCode::BAD_REQUEST, "One Host, please."),
            Self::Misdirected => (
                StatusCode::MISDIRECTED_REQUEST,
                "This server answers to its address, and to names of --allow-host, only.",
            ),
            Self::TooLong => (StatusCode::URI_TOO_LONG, "No path here is that long."),
            Self::NotFound => (StatusCode::NOT_FOUND, "Not found: /metrics."),
            Self::Method => (StatusCode::METHOD_NOT_ALLOWED, "GET and HEAD only."),
            Self::Body => (StatusCode::PAYLOAD_TOO_LARGE, "Requests have no body here."),
        };
        let answer = Answer::plain(status, text);
        match self {
            Self::Method => answer.with(header::ALLOW, HeaderValue::from_static("GET, HEAD")),
            // One such answer per connection; a body is not read.
            _ => answer.with(header::CONNECTION, HeaderValue::from_static("close")),
        }
    }
}

fn admit(request: &Parts, has_body: bool, hosts: &Hosts) -> Result<Wanted, Refusal> {
    let mut named = request.headers.get_all(header::HOST).into_iter();
    let host = match (named.next(), named.next()) {
        (Some(host), None) => host.to_str().map_err(|_| Refusal::Malformed)?,
        _ => return Err(Refusal::Malformed),
    };
    if !hosts.accepts(host) {
        return Err(Refusal::Misdirected);
    }
    if request.uri.path_and_query().is_some_and(|target| target.as_str().len() > TARGET_BYTES) {
        return Err(Refusal::TooLong);
    }
    let wanted = match request.uri.path() {
        "/" => Wanted::Page,
        METRICS_PATH => Wanted::Metrics(negotiated(&request.headers)),
        _ => return Err(Refusal::NotFound),
    };
    if !matches!(request.method, Method::GET | Method::HEAD) {
        return Err(Refusal::Method);
    }
    if has_body { Err(Refusal::Body) } else { Ok(wanted) }
}

/// The format that the client accepts with the highest weight (RFC 9110, section 12.5.1). Without the header
/// it gets the Prometheus text format, which every scraper reads.
fn negotiated(headers: &HeaderMap) -> Format {
    let (mut open, mut plain) = (0.0_f32, 0.0_f32);
    let accepts = headers.get_all(header::ACCEPT).into_iter().filter_map(|accept| accept.to_str().ok());
    for range in accepts.flat_map(|accept| accept.split(',')) {
        let mut words = range.split(';').map(str::trim);
        let kind = words.next().unwrap_or_default();
        let (mut weight, mut version) = (1.0, None);
        for (name, value) in words.filter_map(|word| word.split_once('=')) {
            match name.trim() {
                "q" => weight = value.trim().parse().unwrap_or(0.0),
                "version" => version = Some(value.trim()),
                _ => {}
            }
        }
        if kind.eq_ignore_ascii_case("application/openmetrics-text") && version.is_none_or(|version| version == "1.0.0")
        {
            open = open.max(weight);
        } else if ["text/plain", "text/*", "*/*"].iter().any(|known| kind.eq_ignore_ascii_case(known)) {
            plain = plain.max(weight);
        }
    }
    if open > 0.0 && open >= plain { Format::OpenMetrics } else { Format::Prometheus }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(method: &str, target: &str, headers: &[(&str, &str)], listen: &str) -> Result<Wanted, Refusal> {
        let request = headers.iter().fold(Request::builder().method(method).uri(target), |r, (n, v)| r.header(*n, *v));
        let hosts = Hosts { listen: listen.parse().unwrap(), allowed: vec!["metrics.example".to_owned()] };
        admit(&request.body(()).unwrap().into_parts().0, false, &hosts)
    }

    #[test]
    fn paths_methods_and_hosts() {
        let own = [("host", "127.0.0.1:9817")];
        let metrics = Ok(Wanted::Metrics(Format::Prometheus));
        for (method, target, answer) in [
            ("GET", "/metrics", metrics),
            ("HEAD", "/metrics?collect[]=x", metrics),
            ("GET", "/", Ok(Wanted::Page)),
            ("GET", "/metrics/", Err(Refusal::NotFound)),
            ("GET", "/favicon.ico", Err(Refusal::NotFound)),
            ("POST", "/metrics", Err(Refusal::Method)),
            ("GET", &format!("/{}", "x".repeat(TARGET_BYTES)), Err(Refusal::TooLong)),
        ] {
            assert_eq!(asked(method, target, &own, "127.0.0.1"), answer, "{method} {target}");
        }
        for (host, answer) in [
            ("localhost:1234", metrics),
            ("[::1]:9817", metrics),
            ("evil.example:9817", Err(Refusal::Misdirected)),
            ("127.0.0.1.evil.example:9817", Err(Refusal::Misdirected)),
        ] {
            assert_eq!(asked("GET", "/metrics", &[("host", host)], "127.0.0.1"), answer, "{host}");
        }
        assert_eq!(asked("GET", "/metrics", &[], "127.0.0.1"), Err(Refusal::Malformed));
    }

    /// DNS rebinding also works against an address that other hosts can reach.
    #[test]
    fn only_its_own_address_and_allowed_names_are_answered() {
        for (listen, host, is_answered) in [
            ("192.0.2.7", "192.0.2.7:9817", true),
            ("192.0.2.7", "192.0.2.7", true),
            ("192.0.2.7", "[::ffff:192.0.2.7]:9817", true),
            ("192.0.2.7", "metrics.example:9817", true),
            ("192.0.2.7", "METRICS.example.", true),
            ("192.0.2.7", "db-7:9817", false),
            ("192.0.2.7", "localhost:9817", false),
            ("192.0.2.7", "192.0.2.8:9817", false),
            ("192.0.2.7", "192.0.2.7.evil.example:9817", false),
            ("192.0.2.7", "192.0.2.7:x", false),
            ("192.0.2.7", "", false),
            ("2001:db8::7", "[2001:db8:0::7]:9817", true),
            ("2001:db8::7", "[2001:db8::8]:9817", false),
            ("fe80::7", "[fe80::7%25eth0]:9817", true),
            ("0.0.0.0", "198.51.100.1:9817", true),
            ("0.0.0.0", "[2001:db8::8]:9817", true),
            ("0.0.0.0", "metrics.example:9817", true),
            ("0.0.0.0", "evil.example:9817", false),
            ("::", "192.0.2.7:9817", true),
            ("::", "evil.example", false),
            ("::1", "localhost", true),
            ("127.0.0.1", "metrics.example", true),
        ] {
            let answer = asked("GET", "/metrics", &[("host", host)], listen);
            assert_eq!(answer.is_ok(), is_answered, "{listen} {host}");
            assert!(answer.is_ok() || answer == Err(Refusal::Misdirected));
        }
    }

    #[test]
    fn clients_get_the_form_that_they_like_best() {
        let prometheus_2 = "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,\
                            text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
        let prometheus_3 = "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,\
                            text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,*/*;q=0.1";
        for (accept, format) in [
            (prometheus_2, Format::OpenMetrics),
            (prometheus_3, Format::OpenMetrics),
            ("application/openmetrics-text", Format::OpenMetrics),
            ("application/openmetrics-text; version=0.0.1, text/plain;q=0.1", Format::Prometheus),
            ("application/openmetrics-text;q=0.3, text/plain;q=0.9", Format::Prometheus),
            ("application/openmetrics-text;q=0", Format::Prometheus),
            ("text/html, */*;q=0.8", Format::Prometheus),
            ("", Format::Prometheus),
            ("\u{1},;;q=x,q", Format::Prometheus),
        ] {
            let mut headers = HeaderMap::new();
            if let Ok(value) = HeaderValue::from_str(accept) {
                headers.insert(header::ACCEPT, value);
            }
            assert_eq!(negotiated(&headers), format, "{accept}");
        }
    }
}
