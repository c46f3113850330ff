//! Words for the fix and its expected gain.

use tcpwhy_analysis::answer::{Advice, Fix, NoChange, ProblemAdvice, Remedy};
use tcpwhy_analysis::{Connection, Problem, Side};
use tcpwhy_model::{Claim, FixKind};

use super::words::Words;
use crate::Args;
use crate::prediction_args::{has_paths, prediction_args};
use crate::site::Site;

impl Words<'_> {
    /// The third line, fullest wording first.
    pub(super) fn fix(self, fix: Fix<'_>) -> Vec<String> {
        match fix {
            Fix::Connection(connection, advice) => self.advice(connection, advice),
            Fix::Problem(problem, advice) => self.problem_advice(problem, advice).unwrap_or_else(|| {
                let args = Args::new().text("command", "tcpwhy FILE --problem 1");
                vec![self.wording.catalogue().text("answer-show-problem", &args)]
            }),
            Fix::Look(aside) => {
                let args = Args::new().text("command", format!("tcpwhy FILE --connection {}", aside.connection.id));
                vec![self.wording.catalogue().text("answer-show-connection", &args)]
            }
            Fix::Nothing => vec![self.wording.catalogue().word("answer-nothing")],
            Fix::Ended(connection, finding) => self.finding(finding, connection),
        }
    }

    /// The change for a connection, or the reason why there is none.
    pub(super) fn advice(self, connection: &Connection, advice: Advice<'_>) -> Vec<String> {
        let id = match advice {
            Advice::Profile(_) => return vec![self.profile(connection)],
            Advice::Change(remedy) => return self.change(&remedy, connection),
            Advice::None(NoChange::Nothing) => "answer-nothing",
            Advice::None(NoChange::IfIntended) => "answer-if-intended",
            Advice::None(NoChange::NotShown | NoChange::NotShownAtReceiver) => match connection.main_sender() {
                Some(_) => "answer-look-at-sender",
                None => "answer-look-at-server",
            },
            Advice::None(NoChange::NotShownByKernel) => "answer-not-shown-kernel",
            Advice::None(NoChange::PeerSide) => "answer-peer-side",
            Advice::None(NoChange::NoSetting) => "answer-no-setting",
        };
        let address = |side: Side| connection.endpoints[side.index()].address.to_string();
        let server = connection.server();
        let sender = connection.main_sender().unwrap_or(server);
        let args = Args::new()
            .text("sender", address(sender))
            .text("peer", address(sender.peer()))
            .text("server", address(server));
        vec![self.wording.catalogue().text(id, &args)]
    }

    /// The change for a problem; `None` if the packets do not show it.
    pub(super) fn problem_advice(self, problem: &Problem, advice: ProblemAdvice<'_>) -> Option<Vec<String>> {
        Some(match advice {
            ProblemAdvice::AskClient(client) => {
                let args = Args::new().text("client", client.to_string());
                vec![self.wording.catalogue().text("answer-scan", &args)]
            }
            ProblemAdvice::Profile(_) => vec![self.profile(&problem.example)],
            ProblemAdvice::Change(remedy) => self.change(&remedy, &problem.example),
            ProblemAdvice::Nothing => vec![self.wording.catalogue().word("answer-nothing")],
            ProblemAdvice::NotShown => return None,
        })
    }

    fn profile(self, connection: &Connection) -> String {
        let server = connection.endpoints[connection.server().index()];
        self.wording.catalogue().text("answer-profile", &Args::new().text("service", server.to_string()))
    }

    /// The change with its gain. In a narrow terminal, the place is shortened, then left out, then the words
    /// of the prediction are shortened; the prediction is never dropped.
    fn change(self, remedy: &Remedy<'_>, connection: &Connection) -> Vec<String> {
        let catalogue = self.wording.catalogue();
        let site = Site::of(connection, remedy.sender(connection));
        let names = self.names(remedy, &site);
        let Some((prediction, now)) = remedy.gain else {
            let alone = |name: &String| catalogue.text("answer-fix-alone", &Args::new().text("fix", name.as_str()));
            return names.iter().map(alone).collect();
        };
        // A measurement gains nothing by itself; the words say that its result would.
        let is_found = remedy.fix.kind == FixKind::Measure;
        let (full, brief) = match prediction.claim {
            Claim::Range if is_found => ("answer-predicted-found", "answer-predicted-found"),
            Claim::AtBest | Claim::AtBestUntried if is_found => ("answer-at-best-found", "answer-at-best-found"),
            Claim::Range => ("answer-predicted", "answer-predicted-brief"),
            Claim::AtBest | Claim::AtBestUntried => ("answer-at-best", "answer-at-best-brief"),
        };
        let with_gain = |id: &str, name: &String| {
            let args = Args::new().text("fix", name.as_str());
            catalogue.text(id, &prediction_args(self.wording.units(), args, prediction, now))
        };
        let Some((shortest, placed)) = names.split_last() else { return Vec::new() };
        // Durations for some rates of the path are more informative than a bound, if there is room.
        let by_path = has_paths(prediction) && !is_found;
        let mut wordings: Vec<_> =
            names.iter().filter(|_| by_path).map(|name| with_gain("answer-by-path", name)).collect();
        wordings.extend(placed.iter().map(|name| with_gain(full, name)));
        wordings.extend(placed.last().map(|name| with_gain(brief, name)));
        wordings.extend([full, brief].map(|id| with_gain(id, shortest)));
        wordings
    }

    /// The change, and its rival if there is one, fullest wording first.
    fn names(self, remedy: &Remedy<'_>, site: &Site) -> Vec<String> {
        let names = self.wording.fix_headlines(remedy.fix, Some(site));
        let Some(rival) = remedy.rival else { return names };
        let rivals = self.wording.fix_headlines(rival, Some(site));
        let either = |fix: &String, rival: &String| {
            let args = Args::new().text("fix", fix.as_str()).text("rival", within_sentence(rival));
            self.wording.catalogue().text("answer-either", &args)
        };
        // If both are made on one host, only the first names it. Otherwise the second place is shortened
        // first.
        let [host, other] = [remedy.fix, rival].map(|fix| site.ends.seen_from(fix.place)[0].address);
        let shortest = |names: &[String]| names.last().cloned().unwrap_or_default();
        let (brief, brief_rival) = (shortest(&names), shortest(&rivals));
        let placed = names.first().zip(rivals.first()).filter(|_| host != other);
        let mut both: Vec<_> = placed.map(|(fix, rival)| either(fix, rival)).into_iter().collect();
        both.extend(names.iter().map(|fix| either(fix, &brief_rival)));
        both.push(either(&brief, &brief_rival));
        both.dedup();
        both
    }
}

/// `text` inside a sentence: its first letter becomes lowercase, unless the word is a name.
fn within_sentence(text: &str) -> String {
    let mut chars = text.chars();
    match (chars.next(), chars.clone().next()) {
        (Some(first), Some(second)) if first.is_uppercase() && second.is_lowercase() => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => text.to_owned(),
    }
}
