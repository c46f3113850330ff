//! Scenarios as typed: names, `all`, `random:[talk:]SEED[:COUNT]`, files.

use std::cmp::Reverse;
use std::path::Path;

use tcpwhy_files::FileId;
use tcpwhy_live::text_file;
use tcpwhy_model::foreign::quoted;
use tcpwhy_scenario::{Scenario, bundled, random, random_talk};

use crate::message::{Failure, failure};
use crate::wrong::{Context as _, Result, Wrong, bail};

/// Random transfers where no number is given.
const RANDOM_COUNT: u32 = 12;
/// So many can be run in a day.
const MOST_RANDOM: u32 = 10_000;

/// A page of text, and room for a story.
const MOST_SCENARIO: u64 = 1 << 20;

/// Where a scenario is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It comes with this program.
    Bundled,
    /// Drawn by this program from a seed.
    Drawn,
    /// Rebuilt from what a capture shows, which others have sent.
    #[cfg(target_os = "linux")]
    Rebuilt,
    /// Written by somebody.
    File,
}

/// A scenario that somebody has named.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    /// As it was typed.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only runs in the lab are refused by it"))]
    pub(crate) word: String,
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only runs in the lab need a permission"))]
    pub(crate) origin: Origin,
    pub(crate) scenario: Scenario,
}

/// The scenarios that the words name, in order; none twice.
pub(crate) fn scenarios(words: &[String]) -> Result<Vec<Named>> {
    let mut all: Vec<Named> = Vec::new();
    for word in words {
        for named in of_word(word)? {
            if all.iter().all(|known| known.scenario.name != named.scenario.name) {
                all.push(named);
            }
        }
    }
    Ok(all)
}

/// All that come with this program.
pub(crate) fn bundled() -> Vec<Named> {
    bundled::all().map(|scenario| from(Origin::Bundled, scenario)).collect()
}

/// As it is called itself.
fn from(origin: Origin, scenario: Scenario) -> Named {
    Named { word: scenario.name.clone(), origin, scenario }
}

/// The scenario files among `words`, which are read.
pub(crate) fn files<'w>(words: impl IntoIterator<Item = &'w String>) -> Vec<FileId> {
    words.into_iter().filter_map(|word| FileId::of(Path::new(word))).collect()
}

/// The one scenario that the word names.
#[cfg(target_os = "linux")]
pub(crate) fn scenario(word: &str) -> Result<Named> {
    let mut all = of_word(word)?;
    match (all.len(), all.pop()) {
        (1, Some(named)) => Ok(named),
        (count, _) => bail!(failure("one-scenario").with("word", word).with("count", count)),
    }
}

fn of_word(word: &str) -> Result<Vec<Named>> {
    if word == "all" {
        return Ok(bundled());
    }
    if let Some(rest) = word.strip_prefix("random:") {
        let drawn = drawn(rest).with_context(|| word.to_owned())?;
        return Ok(drawn.into_iter().map(|scenario| from(Origin::Drawn, scenario)).collect());
    }
    if let Some(scenario) = bundled::get(word) {
        return Ok(vec![from(Origin::Bundled, scenario)]);
    }
    let path = Path::new(word);
    if path.extension().is_some_and(|extension| extension == "toml") {
        let text = text_file::read_text(path, MOST_SCENARIO)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let scenario = Scenario::from_toml(&name, &text).map_err(Failure::from)?;
        return Ok(vec![Named { word: word.to_owned(), origin: Origin::File, scenario }]);
    }
    match closest(word) {
        Some(name) => bail!(failure("scenario-similar").with("scenario", quoted(word)).with("near", name)),
        None => bail!(failure("scenario-unknown").with("scenario", quoted(word))),
    }
}

/// `SEED[:COUNT]`, or `SEED/INDEX` for one of them again; conversations alone with `talk:` before it.
fn drawn(text: &str) -> Result<Vec<Scenario>> {
    let expected = || Wrong::from(failure("random-expected"));
    let (draw, text): (fn(u64, u32) -> Scenario, _) = match text.strip_prefix("talk:") {
        Some(text) => (random_talk, text),
        None => (random, text),
    };
    if let Some((seed, index)) = text.split_once('/') {
        let (seed, index) = (seed.parse().map_err(|_| expected())?, index.parse().map_err(|_| expected())?);
        return Ok(vec![draw(seed, index)]);
    }
    let (seed, count) = text.split_once(':').map_or((text, None), |(seed, count)| (seed, Some(count)));
    let seed = seed.parse().map_err(|_| expected())?;
    let count = count.map_or(Ok(RANDOM_COUNT), |count| count.parse().map_err(|_| expected()))?;
    if !(1..=MOST_RANDOM).contains(&count) {
        bail!(failure("random-count").with("most", MOST_RANDOM));
    }
    Ok((0..count).map(|index| draw(seed, index)).collect())
}

/// The bundled name with the longest beginning in common, if that is worth a question.
fn closest(word: &str) -> Option<&'static str> {
    let shared = |name: &str| name.bytes().zip(word.bytes()).take_while(|(a, b)| a == b).count();
    bundled::names().min_by_key(|name| (Reverse(shared(name)), name.len())).filter(|name| shared(name) >= 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(words: &[&str]) -> Result<Vec<String>, String> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        scenarios(&words)
            .map(|all| all.into_iter().map(|named| named.scenario.name).collect())
            .map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn words_name_scenarios() {
        assert_eq!(names(&["sndbuf-auto", "sndbuf-16k", "sndbuf-auto"]).unwrap(), ["sndbuf-auto", "sndbuf-16k"]);
        assert_eq!(names(&["all"]).unwrap().len(), bundled::names().count());
        assert_eq!(names(&["random:7:2"]).unwrap(), ["random-7-0", "random-7-1"]);
        assert_eq!(names(&["random:7/41"]).unwrap(), ["random-7-41"]);
        assert_eq!(names(&["random:7"]).unwrap().len(), 12);
        assert_eq!(names(&["random:talk:7:1", "random:talk:7/41"]).unwrap(), ["random-talk-7-0", "random-talk-7-41"]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (word, part) in [
            ("sndbuf-16", "did you mean sndbuf-16k?"),
            ("xyz", "tcpwhy lab list"),
            ("random:x", "expected random:SEED"),
            ("random:1:0", "expected 1 to"),
            ("/nowhere/a.toml", "/nowhere/a.toml"),
        ] {
            let said = names(&[word]).unwrap_err();
            assert!(said.contains(part), "{word}: {said}");
        }
    }
}
