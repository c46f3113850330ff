//! The words of each language, by message id.

mod id_hash;
pub(crate) mod message;
pub(crate) mod messages;
mod seams;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use fluent_syntax::ast::{Expression, InlineExpression, Pattern, PatternElement};
use tcpwhy_model::MessageValue;
use tcpwhy_model::foreign::visible;

use self::messages::Messages;
use crate::language::Language;
use crate::{Code, Names, Zone};

/// Arguments of a message: text, or whole numbers that a message may select on. Names that others chose get
/// into messages this way, so hidden characters of text are made visible ([`visible`]).
#[derive(Default)]
pub struct Args(Vec<(Cow<'static, str>, Arg)>);

enum Arg {
    Text(String),
    Number(u64),
}

impl Args {
    /// No arguments.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `name` to this text, on one line.
    #[must_use]
    pub fn text(mut self, name: impl Into<Cow<'static, str>>, value: impl Into<String>) -> Self {
        let value = value.into();
        let shown = match visible(&value) {
            Cow::Borrowed(_) => None,
            Cow::Owned(shown) => Some(shown),
        };
        self.0.push((name.into(), Arg::Text(shown.unwrap_or(value))));
        self
    }

    /// Sets `name` to a whole number, written in groups of three digits.
    #[must_use]
    pub fn number(mut self, name: &'static str, value: u64) -> Self {
        self.0.push((name.into(), Arg::Number(value)));
        self
    }

    /// The value that `name` was set to last.
    fn get(&self, name: &str) -> Option<&Arg> {
        self.0.iter().rev().find(|(n, _)| n == name).map(|(_, arg)| arg)
    }

    /// Converts the arguments for Fluent. Building Fluent's own arguments from the start takes several times
    /// as long.
    fn to_fluent(&self) -> FluentArgs<'_> {
        let value = |arg: &Arg| match arg {
            Arg::Text(text) => FluentValue::from(seams::marked(text)),
            Arg::Number(number) => FluentValue::from(*number),
        };
        self.0.iter().map(|(name, arg)| (name.as_ref(), value(arg))).collect()
    }
}

/// The factor between units of size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SizeSteps {
    /// 1000: `kB`, `MB` (SI).
    #[default]
    Decimal,
    /// 1024: `KiB`, `MiB` (IEC 80000-13).
    Binary,
}

/// The messages of one language, and the way quantities are written in it. English replaces messages that a
/// language lacks; an unknown id shows as `⟨id⟩`.
pub struct Catalogue {
    language: Language,
    sizes: SizeSteps,
    zone: Zone,
    names: Option<Arc<Names>>,
    code: Code,
    messages: &'static Messages,
    /// Formatter of messages; the messages are elsewhere.
    format: Format,
    /// Formatter of the English messages in an incomplete language.
    format_of_english: Option<Format>,
}

type Format = FluentBundle<FluentResource>;

/// Makes the formatter of messages in `language`.
fn format_of(language: Language) -> Format {
    let mut format = FluentBundle::new_concurrent(vec![language.identifier()]);
    // Isolation marks are needed only for mixed directions of writing. No language here needs them, and
    // bidirectional controls in foreign text are escaped, so no output contains any.
    format.set_use_isolating(false);
    format.set_formatter(Some(|value, _| match value {
        FluentValue::Number(n) => Some(group_digits(n.value)),
        _ => None,
    }));
    format
}

impl Catalogue {
    /// Reads the built-in messages of `language`.
    pub fn new(language: Language) -> Self {
        Self {
            language,
            sizes: SizeSteps::default(),
            zone: Zone::utc(),
            names: None,
            code: Code::default(),
            messages: language.messages(),
            format: format_of(language),
            format_of_english: (!language.is_complete()).then(|| format_of(Language::English)),
        }
    }

    /// Sets the units of sizes.
    #[must_use]
    pub const fn with_sizes(mut self, sizes: SizeSteps) -> Self {
        self.sizes = sizes;
        self
    }

    /// The units of sizes.
    pub(crate) const fn sizes(&self) -> SizeSteps {
        self.sizes
    }

    /// Sets the zone of times, which are otherwise in UTC.
    #[must_use]
    pub fn with_zone(mut self, zone: Zone) -> Self {
        self.zone = zone;
        self
    }

    /// The zone of times.
    pub const fn zone(&self) -> &Zone {
        &self.zone
    }

    /// Sets the names that are printed next to addresses.
    #[must_use]
    pub fn with_names(mut self, names: Option<Arc<Names>>) -> Self {
        self.names = names;
        self
    }

    /// The names of addresses, if they were asked for.
    pub fn names(&self) -> Option<&Arc<Names>> {
        self.names.as_ref()
    }

    /// Sets the language or server whose lines of fixes are printed; otherwise all are printed.
    #[must_use]
    pub const fn with_code(mut self, code: Code) -> Self {
        self.code = code;
        self
    }

    /// The language or server whose lines of fixes are printed.
    pub(crate) const fn code(&self) -> Code {
        self.code
    }

    /// The language of the messages.
    pub const fn language(&self) -> Language {
        self.language
    }

    /// Whether a message `id` exists.
    pub fn has(&self, id: &str) -> bool {
        self.messages.get(id).is_some()
    }

    /// The message `id` without arguments.
    pub fn word(&self, id: &str) -> String {
        self.text(id, &Args::new())
    }

    /// The message `id`; a missing message or argument is visible in the text.
    pub fn text(&self, id: &str, args: &Args) -> String {
        self.format(id, args).map_or_else(|| format!("⟨{id}⟩"), |(text, _)| text)
    }

    /// The message `id` if it exists and needs no other arguments.
    pub(crate) fn complete_text(&self, id: &str, args: &Args) -> Option<String> {
        self.format(id, args).filter(|(_, is_complete)| *is_complete).map(|(text, _)| text)
    }

    /// The text of `message`, nested messages included.
    pub fn message(&self, message: &tcpwhy_model::Message) -> String {
        let args =
            message.values.iter().fold(Args::new(), |args, (name, value)| args.text(name.clone(), self.value(value)));
        self.text(&format!("error-{}", message.id), &args)
    }

    /// The text of a value of a message.
    pub fn value(&self, value: &MessageValue) -> String {
        match value {
            MessageValue::Text(text) => text.clone(),
            MessageValue::Message(message) => self.message(message),
        }
    }

    /// The messages whose ids pass `is_wanted`, by id, with `{name}` in place of each argument, for a program
    /// that inserts the values itself. A message that selects on a number has its default form.
    pub fn templates(&self, is_wanted: impl Fn(&str) -> bool) -> BTreeMap<String, String> {
        let wanted = self.messages.iter().filter(|(id, _)| is_wanted(id));
        let template = |source: &str| {
            source.split("{ $").skip(1).fold(Args::new(), |args, name| {
                let name: String = name.chars().take_while(|c| c.is_alphanumeric() || *c == '-' || *c == '_').collect();
                let place = format!("{{{name}}}");
                args.text(name, place)
            })
        };
        wanted.map(|(id, message)| (id.to_owned(), self.text(id, &template(message.source)))).collect()
    }

    fn format(&self, id: &str, args: &Args) -> Option<(String, bool)> {
        let message = self.messages.get(id)?;
        let pattern = message.pattern()?;
        if let Some(text) = filled_in(pattern, args) {
            return Some((text, true));
        }
        let mut errors = Vec::new();
        let format = self.format_of_english.as_ref().filter(|_| message.stands_in).unwrap_or(&self.format);
        let text = format.format_pattern(pattern, Some(&args.to_fluent()), &mut errors);
        Some((seams::closed(&text), errors.is_empty()))
    }
}

/// The text of a pattern that consists of words and arguments only; `None` for other patterns and if an
/// argument is missing. The text is the same as Fluent's, which takes several times as long.
fn filled_in(pattern: &Pattern<&str>, args: &Args) -> Option<String> {
    /// Length that suffices for most messages, bytes.
    const USUAL: usize = 120;
    let mut out = String::with_capacity(USUAL);
    // Words of the message directly before the element.
    let mut words = "";
    for element in &pattern.elements {
        match element {
            PatternElement::TextElement { value } => {
                out.push_str(if words.is_empty() { seams::after(&out, value) } else { value });
                words = value;
            }
            PatternElement::Placeable {
                expression: Expression::Inline(InlineExpression::VariableReference { id }),
            } => match (args.get(id.name)?, std::mem::take(&mut words)) {
                (Arg::Text(text), words) => {
                    if seams::is_closed_before(words, text) {
                        out.pop();
                    }
                    out.push_str(text);
                }
                (Arg::Number(number), _) => out.push_str(&group_digits(*number as f64)),
            },
            PatternElement::Placeable { .. } => return None,
        }
    }
    Some(out)
}

/// Writes `1234567` as `1,234,567`.
fn group_digits(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && c.is_ascii_digit() && (digits.len() - i) % 3 == 0 && !out.ends_with('-') {
            out.push(',');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use fluent_syntax::ast::Entry;

    use super::message::messages;
    use super::*;
    use crate::packed::unpacked;

    #[test]
    fn a_message_by_itself_is_what_it_is_in_its_file() {
        for language in Language::ALL {
            let tag = language.tag();
            let source: String = language.packed().files.iter().map(|file| unpacked(file)).collect();
            let source: &'static str = Box::leak(source.into_boxed_str());
            let whole = fluent_syntax::parser::parse(source).unwrap_or_else(|(_, errors)| panic!("{tag}: {errors:?}"));
            let mut alone = messages(source);
            for entry in &whole.body {
                let Entry::Message(message) = entry else { continue };
                let (id, parsed) = alone.next().unwrap_or_else(|| panic!("{tag}: {} is missing", message.id.name));
                assert_eq!(id, message.id.name, "{tag}");
                assert_eq!(parsed.pattern(), message.value.as_ref(), "{tag}: {id}");
            }
            assert!(alone.next().is_none(), "{tag}");
        }
    }

    #[test]
    fn what_is_filled_in_is_what_fluent_says() {
        const SHAPES: [&str; 4] = ["[NAME 发送]", "约 NAME 字节", "NAME", " 发送 "];
        let mut filled = 0;
        for catalogue in Language::ALL.map(Catalogue::new) {
            for ((id, message), shape) in catalogue.messages.iter().flat_map(|m| SHAPES.map(|shape| (m, shape))) {
                let pattern = message.pattern().unwrap();
                let args = message.source.split("{ $").skip(1).fold(Args::new(), |args, rest| {
                    let name = rest.split([' ', '}']).next().unwrap().to_owned();
                    let value = shape.replace("NAME", &name);
                    args.text(name, value)
                });
                let Some(text) = filled_in(pattern, &args) else { continue };
                filled += 1;
                let mut errors = Vec::new();
                let fluent = catalogue.format.format_pattern(pattern, Some(&args.to_fluent()), &mut errors);
                assert_eq!(text, seams::closed(&fluent), "{id}");
                assert!(errors.is_empty(), "{id}: {errors:?}");
            }
        }
        assert!(filled > 1000, "{filled}");
    }

    /// Chinese has one form for all numbers; the English messages that replace missing ones have two.
    #[test]
    fn english_words_that_stand_in_keep_their_plurals() {
        let begun = Catalogue {
            messages: Box::leak(Box::new(Messages::standing_in(Language::English.packed()))),
            format_of_english: Some(format_of(Language::English)),
            ..Catalogue::new(Language::SimplifiedChinese)
        };
        let of = |count: u64| begun.text("head-all-excluded", &Args::new().number("count", count));
        assert_eq!(of(1), "The only connection there is does not match the filter.");
        assert!(of(2).contains('2'), "{}", of(2));
    }

    #[test]
    fn templates_keep_places_for_values() {
        let templates =
            Catalogue::new(Language::English).templates(|id| id.starts_with("unit-") || id == "list-separator");
        assert_eq!(templates["unit-seconds"], "{n} s");
        assert_eq!(templates["list-separator"], ", ");
        assert!(!templates.contains_key("unknown"));
    }

    #[test]
    fn what_is_missing_shows_and_does_not_panic() {
        let catalogue = Catalogue::new(Language::English);
        assert_eq!(catalogue.word("no-such-message"), "⟨no-such-message⟩");
        assert_eq!(catalogue.complete_text("number-rtt", &Args::new()), None);
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(group_digits(1_234_567.0), "1,234,567");
        assert_eq!(group_digits(-123.0), "-123");
        assert_eq!(group_digits(12.0), "12");
    }
}
