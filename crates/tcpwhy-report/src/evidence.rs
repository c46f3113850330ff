//! Evidence as people read it: the unit stands at the end of its name.

use tcpwhy_model::{Evidence, Value};

use crate::{Args, Catalogue, Units};

/// What the end of an evidence name says about its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Bytes,
    Nanoseconds,
    Microseconds,
    Milliseconds,
    Seconds,
    BitsPerSecond,
    BytesPerSecond,
    Percent,
    Share,
    None,
}

/// Longer endings first: `_bits_per_s` also ends in `_s`.
const SUFFIXES: [(&str, Unit); 9] = [
    ("_bits_per_s", Unit::BitsPerSecond),
    ("_bytes_per_s", Unit::BytesPerSecond),
    ("_percent", Unit::Percent),
    ("_share", Unit::Share),
    ("_bytes", Unit::Bytes),
    ("_ns", Unit::Nanoseconds),
    ("_us", Unit::Microseconds),
    ("_ms", Unit::Milliseconds),
    ("_s", Unit::Seconds),
];

fn unit_of(name: &str) -> (Unit, &str) {
    SUFFIXES
        .iter()
        .find_map(|&(suffix, unit)| name.strip_suffix(suffix).map(|stem| (unit, stem)))
        .unwrap_or((Unit::None, name))
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
        Value::Word(word) if evidence.name.ends_with("process") => return word.clone(),
        Value::Word(word) => return word_text(catalogue, word),
    };
    match unit_of(evidence.name).0 {
        Unit::Bytes => units.bytes(number.max(0.0).round() as u64),
        Unit::Nanoseconds => units.seconds(number / 1e9),
        Unit::Microseconds => units.seconds(number / 1e6),
        Unit::Milliseconds => units.seconds(number / 1e3),
        Unit::Seconds => units.seconds(number),
        Unit::BitsPerSecond => units.bits_per_second(number),
        Unit::BytesPerSecond => units.bits_per_second(number * 8.0),
        Unit::Percent => units.percent(number),
        Unit::Share => units.share(number),
        Unit::None => match evidence.value {
            Value::Integer(i) if i >= 0 => units.count(i as u64),
            _ => units.real(number),
        },
    }
}

/// The words for an id of a limit, of what would decide, of how a set buffer is known, or of who took time; anything else as it
/// stands.
fn word_text(catalogue: &Catalogue, word: &str) -> String {
    let id = word.replace('_', "-");
    let ids = ["limit", "decider", "ground", "party"].map(|kind| format!("{kind}-{id}"));
    ids.iter().find(|id| catalogue.has(id)).map_or_else(|| word.to_owned(), |id| catalogue.word(id))
}

/// What the value is, in words; the name itself without its unit where the catalogue has none.
pub(crate) fn label(catalogue: &Catalogue, evidence: &Evidence) -> String {
    let id = format!("evidence-{}", evidence.name.replace('_', "-"));
    catalogue
        .complete_text(&id, &Args::new())
        .unwrap_or_else(|| unit_of(evidence.name).1.trim_end_matches("_count").replace('_', " "))
}

/// `args` with every piece of evidence under its name. Counts stay numbers, so that a message can select on them.
pub(crate) fn add_to(catalogue: &Catalogue, mut args: Args, evidence: &[Evidence]) -> Args {
    for e in evidence {
        args = match e.value {
            Value::Integer(i) if i >= 0 && unit_of(e.name).0 == Unit::None => args.number(e.name, i as u64),
            _ => args.text(e.name, value_text(catalogue, e)),
        };
    }
    args
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Basis;

    use super::*;
    use crate::Language;

    #[test]
    fn units_follow_names() {
        let catalogue = Catalogue::new(Language::English);
        let text = |name, value| value_text(&catalogue, &Evidence { name, value, basis: Basis::WireExact });
        assert_eq!(text("plateau_bytes", Value::from(16_384_u64)), "16.4 kB");
        assert_eq!(text("rtt_us", Value::from(20_100_u64)), "20.1 ms");
        assert_eq!(text("silence_ms", Value::from(200_u64)), "200 ms");
        assert_eq!(text("stall_s", Value::from(6.04)), "6.04 s");
        assert_eq!(text("rate_bits_per_s", Value::from(7.034e6)), "7.03 Mbit/s");
        assert_eq!(text("rate_bytes_per_s", Value::from(1e6)), "8.00 Mbit/s");
        assert_eq!(text("loss_percent", Value::from(0.42)), "0.4%");
        assert_eq!(text("unused_ack_share", Value::from(0.62)), "62%");
        assert_eq!(text("timeout_count", Value::from(1234_u64)), "1,234");
        assert_eq!(text("is_scaled", Value::from(false)), "no");
    }

    #[test]
    fn a_process_keeps_its_name_whatever_it_is_called() {
        let catalogue = Catalogue::new(Language::English);
        let text = |name, word: &str| {
            let value = Value::Word(word.to_owned());
            value_text(&catalogue, &Evidence { name, value, basis: Basis::KernelReported })
        };
        assert_eq!(text("taken_by", "server"), "the server");
        for name in ["server", "path", "kernel"] {
            assert_eq!(text("process", name), name);
            assert_eq!(text("second_process", name), name);
        }
    }

    #[test]
    fn a_name_without_words_shows_itself() {
        let catalogue = Catalogue::new(Language::English);
        let e = Evidence { name: "odd_new_thing_bytes", value: Value::from(1_u64), basis: Basis::WireExact };
        assert_eq!(label(&catalogue, &e), "odd new thing");
    }
}
