//! `tcpwhy audit`: the answer in three lines, findings, then the data behind them.

mod paths;
mod settings;
mod sockets;

use std::fmt;

use anstyle::Style;
use tcpwhy_audit::{HostFacts, HostReport};
use tcpwhy_model::Finding;
use tcpwhy_model::host::{Gap, TcpState};

use super::page::Page;
use super::palette::{BOLD, DIM, severity};
use super::{Look, findings};
use crate::{Args, Wording};

/// The report on a host, ready to be displayed.
pub struct AuditPage<'a> {
    /// Catalogue and units of the words.
    pub wording: Wording<'a>,
    /// Capabilities of the terminal.
    pub look: Look,
    /// File that a saved host was read from; `None` for the live one.
    pub source: Option<&'a str>,
    /// Observed data.
    pub facts: HostFacts<'a>,
    /// Conclusions from the data.
    pub report: &'a HostReport,
    /// Most rows of the table of sockets.
    pub top: usize,
    /// Whether only the answer is written.
    pub is_brief: bool,
}

impl fmt::Display for AuditPage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut page = Page::of_sentences(self.look, self.is_brief);
        self.write(&mut page);
        f.write_str(&page.into_text())
    }
}

impl AuditPage<'_> {
    fn write(&self, page: &mut Page) {
        self.write_head(page);
        self.write_answer(page);
        if self.is_brief {
            return;
        }
        let catalogue = self.wording.catalogue();
        if !self.report.findings.is_empty() {
            page.heading(&catalogue.word("heading-findings"));
            findings::write(page, self.wording, &self.report.findings, None, |_| 0.0);
        }
        paths::write(page, self.wording, &self.report.paths);
        sockets::write(page, self.wording, &self.report.set_buffers, self.top);
        settings::write_counters(page, self.wording, &self.facts, &self.report.counters);
        settings::write_settings(page, self.wording, &self.report.settings);
        self.write_gaps(page);
        page.gap();
        page.wrapped(&catalogue.word("audit-hint-rules"), 0, DIM);
    }

    /// Writes the name and kernel of the host.
    fn write_head(&self, page: &mut Page) {
        let catalogue = self.wording.catalogue();
        let host = self.source.map_or_else(|| catalogue.word("audit-live"), ToOwned::to_owned);
        let release = self.facts.host.kernel_release.clone();
        let version = release.or_else(|| self.facts.version.map(|v| v.to_string()));
        let kernel = version.unwrap_or_else(|| catalogue.word("audit-kernel-unknown"));
        let args = Args::new().text("host", host).text("kernel", kernel);
        let line = match &self.facts.host.sockets {
            None => catalogue.text("audit-head-unknown", &args),
            Some(sockets) => {
                let listeners = sockets.iter().filter(|s| s.state == Some(TcpState::Listen)).count();
                let connections = sockets.iter().filter(|s| s.state.is_none_or(TcpState::is_connected)).count();
                let args = args
                    .number("connections", connections as u64)
                    .number("listeners", listeners as u64)
                    .number("set", self.report.set_buffers.len() as u64);
                catalogue.text("audit-head", &args)
            }
        };
        page.wrapped(&line, 0, BOLD);
    }

    /// Writes the most severe finding and its fix.
    fn write_answer(&self, page: &mut Page) {
        let catalogue = self.wording.catalogue();
        let Some(worst) = self.report.findings.first() else {
            let is_whole = self.report.unread.is_empty();
            page.wrapped(&self.wording.nothing_found(self.report, self.facts.effective_version()), 0, Style::new());
            page.wrapped(&catalogue.word(if is_whole { "head-healthy" } else { "audit-read-rest" }), 0, DIM);
            return;
        };
        let args = Args::new()
            .text("severity", self.wording.severity(worst.severity))
            .text("title", self.wording.rule_title(worst.rule))
            .text("sentence", self.wording.finding(worst, 0.0));
        page.wrapped(&catalogue.text("audit-worst", &args), 0, severity(worst.severity));
        let what_to_do = self.what_to_do(worst);
        let line = match self.wording.parts_not_read(self.report) {
            Some(parts) => {
                catalogue.text("audit-and-not-read", &Args::new().text("line", what_to_do).text("parts", parts))
            }
            None => what_to_do,
        };
        page.wrapped(&line, 0, Style::new());
    }

    fn what_to_do(&self, worst: &Finding) -> String {
        let catalogue = self.wording.catalogue();
        let more = self.report.findings.len() as u64 - 1;
        let Some(fix) = worst.fixes.first() else { return catalogue.word("head-no-fix") };
        let args =
            Args::new().text("fix", self.wording.fix_headline(fix, None)).text("place", self.wording.place(fix.place));
        if more == 0 {
            return catalogue.text("audit-fix", &args);
        }
        let more = catalogue.text("audit-more", &Args::new().number("count", more));
        catalogue.text("audit-fix-more", &args.text("more", more))
    }

    fn write_gaps(&self, page: &mut Page) {
        if self.facts.host.gaps.is_empty() {
            return;
        }
        page.heading(&self.wording.catalogue().word("heading-audit-gaps"));
        for &gap in &self.facts.host.gaps {
            page.wrapped(&self.gap(gap), 2, DIM);
        }
    }

    fn gap(&self, gap: Gap) -> String {
        self.wording.gap(gap, self.facts.effective_version())
    }
}
