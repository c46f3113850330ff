//! Times that findings about the requests of a connection are compared with.

use tcpwhy_model::Finding;

use crate::diagnosis::RULES;
use crate::exchanges::{Exchanges, Parts};
use crate::outcome::Connection;

impl Parts {
    /// Returns the time of the exchanges and between them, seconds.
    pub const fn seconds(&self) -> f64 {
        self.all() as f64 / 1e9
    }
}

impl Connection {
    /// Returns the duration of the connection or of its requests, seconds, depending on `finding`. Its
    /// prediction has to be compared with that.
    pub fn seconds_of(&self, finding: &Finding) -> f64 {
        self.requests_of(finding).map_or_else(|| self.span.seconds(), |exchanges| exchanges.parts.seconds())
    }

    /// Returns the requests that `finding` is about, if they are timed one by one.
    pub(crate) fn requests_of(&self, finding: &Finding) -> Option<&Exchanges> {
        let is_about_requests = RULES.iter().any(|rule| rule.id == finding.rule && rule.is_about_requests());
        self.exchanges.as_deref().filter(|exchanges| is_about_requests && exchanges.is_request_response())
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Severity;

    use crate::exchanges::{Parts, Pattern};
    use crate::problems::testing::{connection, exchanges, finding};

    #[test]
    fn a_finding_about_requests_is_compared_with_their_time() {
        let mut all = connection(Vec::new());
        let seconds =
            |connection: &crate::Connection, rule| connection.seconds_of(&finding(rule, Severity::Warning, 0, None));
        let span = all.span.seconds();
        assert!((seconds(&all, "application-think") - span).abs() < 1e-9, "there are none");
        all.exchanges = Some(exchanges(Parts { client: 1_000_000_000, server: 500_000_000, ..Parts::default() }));
        assert!((seconds(&all, "application-think") - 1.5).abs() < 1e-9);
        assert!((seconds(&all, "request-response-turns") - 1.5).abs() < 1e-9);
        assert!((seconds(&all, "connection-setup") - span).abs() < 1e-9, "it is about the connection");
        all.exchanges.as_deref_mut().unwrap().pattern = Pattern::Overlapping;
        assert!((seconds(&all, "application-think") - span).abs() < 1e-9, "their times are not known");
    }
}
