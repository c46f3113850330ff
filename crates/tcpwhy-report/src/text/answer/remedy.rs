//! The words for what to change, and for what that brings.

use tcpwhy_analysis::answer::{Advice, Fix, NoChange, ProblemAdvice, Remedy};
use tcpwhy_analysis::{Connection, Problem};
use tcpwhy_model::Claim;

use super::words::Words;
use crate::Args;
use crate::prediction_args::prediction_args;

impl Words<'_> {
    /// The third line, the fullest wording first.
    pub(super) fn fix(self, fix: Fix<'_>) -> Vec<String> {
        match fix {
            Fix::Connection(connection, advice) => self.advice(connection, advice),
            Fix::Problem(problem, advice) => self.problem_advice(problem, advice).unwrap_or_else(|| {
                let args = Args::new().text("command", "tcpwhy FILE --problem 1");
                vec![self.wording.catalogue().text("answer-show-problem", &args)]
            }),
            Fix::Nothing => vec![self.wording.catalogue().word("answer-nothing")],
            Fix::Ended(connection, finding) => self.finding(finding, connection),
        }
    }

    /// What to change about a connection, or why nothing.
    pub(super) fn advice(self, connection: &Connection, advice: Advice<'_>) -> Vec<String> {
        let id = match advice {
            Advice::Profile(_) => return vec![self.profile(connection)],
            Advice::Change(remedy) => return self.change(&remedy),
            Advice::None(NoChange::Nothing) => "answer-nothing",
            Advice::None(NoChange::IfIntended) => "answer-if-intended",
            Advice::None(NoChange::NotShown) => "answer-not-shown",
            Advice::None(NoChange::NotShownAtReceiver) => "answer-not-shown-receiver",
            Advice::None(NoChange::NotShownByKernel) => "answer-not-shown-kernel",
            Advice::None(NoChange::PeerSide) => "answer-peer-side",
            Advice::None(NoChange::NoSetting) => "answer-no-setting",
        };
        vec![self.wording.catalogue().word(id)]
    }

    /// What to change about a problem; `None` where the packets do not show it.
    pub(super) fn problem_advice(self, problem: &Problem, advice: ProblemAdvice<'_>) -> Option<Vec<String>> {
        Some(match advice {
            ProblemAdvice::AskClient(client) => {
                let args = Args::new().text("client", client.to_string());
                vec![self.wording.catalogue().text("answer-scan", &args)]
            }
            ProblemAdvice::Profile(_) => vec![self.profile(&problem.example)],
            ProblemAdvice::Change(remedy) => self.change(&remedy),
            ProblemAdvice::Nothing => vec![self.wording.catalogue().word("answer-nothing")],
            ProblemAdvice::NotShown => return None,
        })
    }

    fn profile(self, connection: &Connection) -> String {
        let server = connection.endpoints[connection.server().index()];
        self.wording.catalogue().text("answer-profile", &Args::new().text("service", server.to_string()))
    }

    fn change(self, remedy: &Remedy<'_>) -> Vec<String> {
        let catalogue = self.wording.catalogue();
        let fix = self.wording.fix_headline(remedy.fix);
        let alone = catalogue.text("answer-fix-alone", &Args::new().text("fix", fix.as_str()));
        let with_gain = |fix: &str| {
            let (prediction, now) = remedy.gain?;
            let id = match prediction.claim {
                Claim::Range => "answer-predicted",
                Claim::AtBest | Claim::AtBestUntried => "answer-times",
            };
            Some(
                catalogue
                    .text(id, &prediction_args(self.wording.units(), Args::new().text("fix", fix), prediction, now)),
            )
        };
        let Some(rival) = remedy.rival else {
            return with_gain(&fix).into_iter().chain([alone]).collect();
        };
        let rival = within_sentence(&self.wording.fix_headline(rival));
        let both = catalogue.text("answer-either", &Args::new().text("fix", fix.as_str()).text("rival", rival));
        let both_alone = catalogue.text("answer-fix-alone", &Args::new().text("fix", both.as_str()));
        with_gain(&both).into_iter().chain([both_alone]).collect()
    }
}

/// `text` as it is written within a sentence: its first letter is small, unless the word is a name.
fn within_sentence(text: &str) -> String {
    let mut chars = text.chars();
    match (chars.next(), chars.clone().next()) {
        (Some(first), Some(second)) if first.is_uppercase() && second.is_lowercase() => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => text.to_owned(),
    }
}
