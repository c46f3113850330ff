//! Arbitrary text as a scenario file: an error is one line; a parsed scenario is written and shown the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tcpwhy_lab::by_hand;
use tcpwhy_model::foreign::is_hidden;
use tcpwhy_scenario::Scenario;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let scenario = match Scenario::from_toml("fuzz", &text) {
        Ok(scenario) => scenario,
        Err(why) => {
            let why = why.to_string();
            assert!(!why.contains(is_hidden) && why.chars().count() < 600, "{why:?}");
            return;
        }
    };
    let written = scenario.to_toml().expect("it was read from TOML");
    assert_eq!(Scenario::from_toml("fuzz", &written).as_ref(), Ok(&scenario), "{written}");
    let script = by_hand(&scenario);
    assert!(!script.contains(|c| !matches!(c, '\n' | '\t') && is_hidden(c)), "{script:?}");
});
