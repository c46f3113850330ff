//! Counters of the kernels during a transfer.

use anstyle::Style;
use tcpwhy_model::Severity;

use super::{as_verdict, mark};
use crate::lab::LabCounted;
use crate::text::look::pad;
use crate::text::page::Page;
use crate::text::palette::{DIM, severity};
use crate::{Args, Wording};

/// Width of the place before a line, columns.
pub(super) const PLACE: usize = 10;

/// Writes the expected counters, one line each, and the findings of an audit from all counters. Notes of the
/// audit are left out because there would be too many.
pub(super) fn write(page: &mut Page, wording: Wording<'_>, place: &str, counted: &LabCounted) {
    let catalogue = wording.catalogue();
    let place = pad(&catalogue.word(place), PLACE);
    for (name, count) in counted.expected() {
        let args = Args::new().text("name", name);
        let (id, args) = match count {
            Some(0) => ("lab-counter-still", args),
            Some(count) => ("lab-counter", args.text("count", wording.units().count(count))),
            None => ("lab-counter-absent", args),
        };
        let sign = mark(page, as_verdict(count.is_some_and(|count| count > 0)));
        let text = page.look().signs(&catalogue.text(id, &args)).into_owned();
        page.raw(&format!("  {sign} {place}{text}"));
    }
    for finding in counted.findings.iter().filter(|finding| finding.severity >= Severity::Warning) {
        let args = Args::new().text("sentence", wording.finding(finding, 0.0)).text("rule", finding.rule);
        let label = (place.as_str(), Style::new());
        let style = if finding.severity == Severity::Critical { severity(finding.severity) } else { DIM };
        page.hanging(label, &catalogue.text("lab-counter-finding", &args), 4, style);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use tcpwhy_model::Finding;

    use super::*;
    use crate::text::Look;
    use crate::{Catalogue, Language};

    #[test]
    fn what_moved_what_did_not_and_what_it_means() {
        let finding = |rule, severity| Finding {
            rule,
            severity,
            confidence: 0.9,
            seconds: None,
            evidence: vec![],
            fixes: vec![],
            prediction: None,
        };
        let counted = LabCounted {
            counters: BTreeMap::from([("TcpExtPruneCalled".to_owned(), 1234), ("TcpExtTCPRcvCollapsed".to_owned(), 0)]),
            expected: ["TcpExtPruneCalled", "TcpExtTCPRcvCollapsed", "TcpExtNoSuch"].map(str::to_owned).to_vec(),
            findings: vec![
                finding("receive-queue-pruned", Severity::Warning),
                finding("receive-queue-collapsed", Severity::Info),
            ],
        };
        let catalogue = Catalogue::new(Language::English);
        let mut page = Page::new(Look { width: 80, has_color: false, has_unicode: true });
        write(&mut page, Wording::new(&catalogue), "lab-at-receiver", &counted);
        let expected = [
            "  ✓ receiver  TcpExtPruneCalled 1,234",
            "  ✗ receiver  TcpExtTCPRcvCollapsed did not move",
            "  ✗ receiver  TcpExtNoSuch: this kernel has no such counter",
            "    receiver  counters: Received packets were dropped because receive buffers",
            "              had no memory left. (receive-queue-pruned)",
        ];
        assert_eq!(page.into_text().lines().collect::<Vec<_>>(), expected);
    }
}
