//! Evidence as people read it. The end of its name is its unit.

use tcpwhy_model::{Evidence, Value};

use crate::kebab::kebab;
use crate::{Args, Catalogue, Units};

/// The unit at the end of an evidence name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Bytes,
    Microseconds,
    Milliseconds,
    Seconds,
    BitsPerSecond,
    Percent,
    Share,
    None,
}

/// Longer endings first: `_bits_per_s` also ends in `_s`.
const SUFFIXES: [(&str, Unit); 7] = [
    ("_bits_per_s", Unit::BitsPerSecond),
    ("_percent", Unit::Percent),
    ("_share", Unit::Share),
    ("_bytes", Unit::Bytes),
    ("_us", Unit::Microseconds),
    ("_ms", Unit::Milliseconds),
    ("_s", Unit::Seconds),
];

fn unit_of(name: &str) -> Unit {
    SUFFIXES.iter().find(|(suffix, _)| name.ends_with(suffix)).map_or(Unit::None, |&(_, unit)| unit)
}

/// The value with its unit.
pub(crate) fn value_text(catalogue: &Catalogue, evidence: &Evidence) -> String {
    let units = Units::new(catalogue);
    let number = match &evidence.value {
        Value::Integer(i) => *i as f64,
        Value::Real(r) => *r,
        Value::Flag(true) => return catalogue.word("yes"),
        Value::Flag(false) => return catalogue.word("no"),
        // A program can have any name, also one that equals an id with a translation.
        Value::Word(word) if evidence.key.id().ends_with("process") => return word.clone(),
        Value::Word(word) => return word_text(catalogue, word),
    };
    match unit_of(evidence.key.id()) {
        Unit::Bytes => units.bytes(number.max(0.0).round() as u64),
        Unit::Microseconds => units.seconds(number / 1e6),
        Unit::Milliseconds => units.seconds(number / 1e3),
        Unit::Seconds => units.seconds(number),
        Unit::BitsPerSecond => units.bits_per_second(number),
        Unit::Percent => units.percent(number),
        Unit::Share => units.share(number),
        Unit::None => match evidence.value {
            Value::Integer(i) if i >= 0 => units.count(i as u64),
            _ => units.real(number),
        },
    }
}

/// The words for an id of a limit, decider, set buffer's ground, party, kernel bug, end of a wait or
/// connection, or shared resource. Any other text stays unchanged.
fn word_text(catalogue: &Catalogue, word: &str) -> String {
    let id = word.replace('_', "-");
    let ids =
        ["limit", "decider", "ground", "party", "ended", "cut", "fault", "shared"].map(|kind| format!("{kind}-{id}"));
    ids.iter().find(|id| catalogue.has(id)).map_or_else(|| word.to_owned(), |id| catalogue.word(id))
}

/// The name of the value, in words.
pub(crate) fn label(catalogue: &Catalogue, evidence: &Evidence) -> String {
    catalogue.word(&format!("evidence-{}", kebab(evidence.key.id())))
}

/// Adds every piece of evidence to `args` under its name. Counts stay numbers, so that a message can select
/// on them.
pub(crate) fn add_to(catalogue: &Catalogue, mut args: Args, evidence: &[Evidence]) -> Args {
    for e in evidence {
        let name = e.key.id();
        args = match e.value {
            Value::Integer(i) if i >= 0 && unit_of(name) == Unit::None => args.number(name, i as u64),
            _ => args.text(name, value_text(catalogue, e)),
        };
    }
    args
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Basis, EvidenceKey};

    use super::*;
    use crate::Language;

    #[test]
    fn units_follow_names() {
        let catalogue = Catalogue::new(Language::English);
        let text = |key, value| value_text(&catalogue, &Evidence { key, value, basis: Basis::WireExact });
        assert_eq!(text(EvidenceKey::PlateauBytes, Value::from(16_384_u64)), "16.4 kB");
        assert_eq!(text(EvidenceKey::RttUs, Value::from(20_100_u64)), "20.1 ms");
        assert_eq!(text(EvidenceKey::IdleMs, Value::from(200_u64)), "200 ms");
        assert_eq!(text(EvidenceKey::IntervalS, Value::from(6.04)), "6.04 s");
        assert_eq!(text(EvidenceKey::RateBitsPerS, Value::from(7.034e6)), "7.03 Mbit/s");
        assert_eq!(text(EvidenceKey::RetransmittedPercent, Value::from(0.42)), "0.4%");
        assert_eq!(text(EvidenceKey::RoomUnusedShare, Value::from(0.62)), "62%");
        assert_eq!(text(EvidenceKey::TimeoutCount, Value::from(1234_u64)), "1,234");
        assert_eq!(text(EvidenceKey::IsRecent, Value::from(false)), "no");
    }

    #[test]
    fn a_process_keeps_its_name_whatever_it_is_called() {
        let catalogue = Catalogue::new(Language::English);
        let text = |key, word: &str| {
            let value = Value::Word(word.to_owned());
            value_text(&catalogue, &Evidence { key, value, basis: Basis::KernelReported })
        };

        for name in ["server", "path", "kernel"] {
            assert_eq!(text(EvidenceKey::Process, name), name);
            assert_eq!(text(EvidenceKey::SecondProcess, name), name);
        }
    }
}
