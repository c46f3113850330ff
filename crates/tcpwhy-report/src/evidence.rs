//! Evidence as people read it: the unit stands at the end of its name.

use tcpwhy_model::{Evidence, Value};

use crate::kebab::kebab;
use crate::{Args, Catalogue, Units};

/// What the end of an evidence name says about its value.
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

/// The value in words and units.
pub(crate) fn value_text(catalogue: &Catalogue, evidence: &Evidence) -> String {
    let units = Units::new(catalogue);
    let number = match &evidence.value {
        Value::Integer(i) => *i as f64,
        Value::Real(r) => *r,
        Value::Flag(true) => return catalogue.word("yes"),
        Value::Flag(false) => return catalogue.word("no"),
        // A program may be called as anything, also as what has words of its own here.
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

/// The words for an id: a limit, a decider, the ground of a set buffer, a party, a fault of a kernel, the end
/// of a wait or a connection. What flows share has words too. Anything else stays as it is.
fn word_text(catalogue: &Catalogue, word: &str) -> String {
    let id = word.replace('_', "-");
    let ids =
        ["limit", "decider", "ground", "party", "ended", "cut", "fault", "shared"].map(|kind| format!("{kind}-{id}"));
    ids.iter().find(|id| catalogue.has(id)).map_or_else(|| word.to_owned(), |id| catalogue.word(id))
}

/// What the value is, in words.
pub(crate) fn label(catalogue: &Catalogue, evidence: &Evidence) -> String {
    catalogue.word(&format!("evidence-{}", kebab(evidence.key.id())))
}

/// `args` with every piece of evidence under its name. Counts stay numbers, so that a message can select on them.
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
