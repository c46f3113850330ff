//! `tcpwhy.rules`.

use pyo3::prelude::*;
use tcpwhy_analysis::RULES;

use crate::language::Words;

/// A rule that produces findings.
#[pyclass(frozen, get_all, module = "tcpwhy")]
pub(crate) struct Rule {
    /// Stable id, such as `'send-buffer-plateau'`.
    id: &'static str,
    /// Its title.
    title: String,
    /// Its meaning, its detection, and the remedies.
    doc: String,
    /// Ids of the limits it explains: a list of `str`.
    limits: Vec<&'static str>,
    /// Highest severity of its findings: `'info'`, `'warning'` or `'critical'`.
    severity: &'static str,
}

#[pymethods]
impl Rule {
    fn __repr__(&self) -> String {
        format!("Rule(id='{}', severity='{}')", self.id, self.severity)
    }
}

/// The rules for captures, as `tcpwhy rules` explains them: a list of `Rule`.
#[pyfunction]
#[pyo3(signature = (*, lang = Words::default()))]
#[pyo3(text_signature = "(*, lang='en')")]
pub(crate) fn rules(lang: Words) -> Vec<Rule> {
    let wording = lang.wording();
    let rule = |rule: &&tcpwhy_analysis::Rule| Rule {
        id: rule.id,
        title: wording.rule_title(rule.id),
        doc: wording.rule_doc(rule.id),
        limits: rule.limits.iter().map(|limit| limit.id()).collect(),
        severity: rule.severity.id(),
    };
    RULES.iter().map(rule).collect()
}
