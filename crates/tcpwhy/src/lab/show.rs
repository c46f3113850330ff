//! `tcpwhy lab show`.

use std::io::Write as _;

use tcpwhy_lab::by_hand;
use tcpwhy_report::Wording;
use tcpwhy_report::text::{LabStory, lab_story};
use tcpwhy_scenario::{End, Expected, Scenario, bundled};

use super::args::ShowArgs;
use crate::exit::ExitStatus;
use crate::scenarios;
use crate::standard_output::stdout;
use crate::wrong::Result;

/// Prints a scenario: its story, its settings, the expected result, and commands to set it up by hand.
pub(super) fn run(args: &ShowArgs) -> Result<ExitStatus> {
    let scenario = scenarios::scenario(&args.target)?.scenario;
    let mut out = stdout();
    let script = by_hand(&scenario);
    if args.script {
        write!(out, "{script}")?;
        return Ok(ExitStatus::SUCCESS);
    }
    let language = args.output.look.language();
    let catalogue = args.output.look.catalogue();
    let words = scenario.story.words(language.tag());
    let story = LabStory {
        name: &scenario.name,
        target: &args.target,
        title: &words.title,
        text: &words.text,
        source: &scenario.story.source,
        reported: scenario.story.reported.map(|reported| (reported.bytes.0, reported.took.seconds())),
        imposed: &imposed(&scenario),
        expected: &scenario.expect.verdict.iter().copied().map(Expected::cause).collect::<Vec<_>>(),
        counters: End::BOTH.map(|end| scenario.expect.counters.at(end)),
        ratios: &scenario.expect.ratio.iter().map(|r| (r.to.as_str(), r.at_least, r.at_most)).collect::<Vec<_>>(),
        script: &script,
    };
    write!(out, "{}", lab_story(Wording::new(&catalogue), args.output.look.look(), &story))?;
    Ok(ExitStatus::SUCCESS)
}

/// The parts of a scenario's file that configure the run, without story and expectation.
fn imposed(scenario: &Scenario) -> String {
    // The original text, unless the scenario is a user's file with the name of a bundled one.
    match bundled::text(&scenario.name).filter(|_| bundled::get(&scenario.name).as_ref() == Some(scenario)) {
        Some(text) => parts(text),
        // Conversion to TOML cannot fail for a scenario that was read from TOML.
        None => parts(&scenario.to_toml().unwrap_or_default()),
    }
}

/// Tables other than `[story…]` and `[expect…]`, and the keys above all tables.
fn parts(text: &str) -> String {
    const WANTED: [&str; 4] = ["link", "sender", "receiver", "work"];
    let mut is_wanted = true;
    let mut out = String::new();
    for line in text.lines().skip_while(|line| line.starts_with('#') || line.is_empty()) {
        let header = line.trim_start_matches('[').split([']', '.']).next().unwrap_or_default();
        if line.starts_with('[') && WANTED.contains(&header) {
            is_wanted = true;
        } else if line.starts_with("[story") || line.starts_with("[expect") || line.starts_with("[[expect") {
            is_wanted = false;
        }
        if is_wanted && !line.starts_with("name = ") {
            out.push_str(line);
            out.push('\n');
        }
    }
    out.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_imposed_is_shown_and_nothing_else() {
        for scenario in bundled::all() {
            let shown = imposed(&scenario);
            assert!(!shown.contains("title") && !shown.contains("verdict"), "{}: {shown}", scenario.name);
            // With any expectation added, it is the same scenario.
            let whole = format!("{shown}\n[expect]\nverdict = []\n");
            let again = Scenario::from_toml(&scenario.name, &whole).unwrap();
            assert_eq!(
                (again.link, again.sender, again.receiver, again.work),
                (scenario.link, scenario.sender, scenario.receiver, scenario.work)
            );
        }
        let drawn = tcpwhy_scenario::random(1, 0);
        assert!(imposed(&drawn).contains("[sender]") && !imposed(&drawn).contains("verdict"));
        let namesake = Scenario { name: "sndbuf-16k".to_owned(), ..drawn.clone() };
        assert_eq!(imposed(&namesake), imposed(&drawn));
    }
}
