//! The words, by language and message id.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use tcpwhy_model::foreign::visible;
use unic_langid::LanguageIdentifier;

use crate::packed::{packed, unpacked};
use crate::{Names, Zone};

/// A language that tcpwhy speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Simplified Chinese.
    SimplifiedChinese,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 2] = [Self::English, Self::SimplifiedChinese];

    /// BCP 47 tag, as `--lang` takes it.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::SimplifiedChinese => "zh-CN",
        }
    }

    /// The language that a POSIX locale (`zh_CN.UTF-8`) or a BCP 47 tag (`zh-CN`) asks for; English unless it is Chinese.
    pub fn from_locale(locale: &str) -> Self {
        let name = locale.split(['.', '@']).next().unwrap_or_default();
        match name.split(['_', '-']).next() {
            Some("zh") => Self::SimplifiedChinese,
            _ => Self::English,
        }
    }

    fn identifier(self) -> LanguageIdentifier {
        // Every tag parses (tested); the default only lacks plural rules.
        self.tag().parse().unwrap_or_default()
    }

    /// The Fluent files of this language, one after the other.
    fn source(self) -> &'static str {
        static ENGLISH: LazyLock<String> = LazyLock::new(|| unpacked(packed!("en")));
        static SIMPLIFIED_CHINESE: LazyLock<String> = LazyLock::new(|| unpacked(packed!("zh-CN")));
        match self {
            Self::English => &ENGLISH,
            Self::SimplifiedChinese => &SIMPLIFIED_CHINESE,
        }
    }
}

/// Arguments of a message: text, in which hidden characters are made visible ([`visible`]), since names that others chose come
/// this way; and whole numbers that a message may select on.
#[derive(Default)]
pub struct Args(FluentArgs<'static>);

impl Args {
    /// No arguments.
    pub fn new() -> Self {
        Self::default()
    }

    /// With `name` set to this text, on one line.
    #[must_use]
    pub fn text(mut self, name: &str, value: impl Into<String>) -> Self {
        let value = value.into();
        let shown = match visible(&value) {
            Cow::Borrowed(_) => None,
            Cow::Owned(shown) => Some(shown),
        };
        self.0.set(name.to_owned(), FluentValue::String(Cow::Owned(shown.unwrap_or(value))));
        self
    }

    /// With `name` set to a whole number, written in groups of three digits.
    #[must_use]
    pub fn number(mut self, name: &str, value: u64) -> Self {
        self.0.set(name.to_owned(), FluentValue::from(value));
        self
    }
}

/// The steps that sizes are written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SizeSteps {
    /// Of 1000: `kB`, `MB` (SI).
    #[default]
    Decimal,
    /// Of 1024: `KiB`, `MiB` (IEC 80000-13).
    Binary,
}

/// The messages of one language, and how quantities stand in them. Every id exists in every language (a test sees to it); an unknown id shows as `⟨id⟩`.
pub struct Catalogue {
    language: Language,
    sizes: SizeSteps,
    zone: Zone,
    names: Option<Arc<Names>>,
    bundle: FluentBundle<FluentResource>,
}

impl Catalogue {
    /// Reads the built-in messages of `language`.
    pub fn new(language: Language) -> Self {
        let mut bundle = FluentBundle::new_concurrent(vec![language.identifier()]);
        // The isolation marks are for mixing scripts of both directions. Neither language here needs them, and bidirectional
        // controls of foreign text are not let through: so there is none in any output.
        bundle.set_use_isolating(false);
        bundle.set_formatter(Some(|value, _| match value {
            FluentValue::Number(n) => Some(group_digits(n.value)),
            _ => None,
        }));
        // A syntax error loses that message only; the catalogue test reports it.
        let resource = FluentResource::try_new(language.source().to_owned()).unwrap_or_else(|(partial, _)| partial);
        bundle.add_resource_overriding(resource);
        Self { language, sizes: SizeSteps::default(), zone: Zone::utc(), names: None, bundle }
    }

    /// The same, with sizes in these steps.
    #[must_use]
    pub const fn with_sizes(mut self, sizes: SizeSteps) -> Self {
        self.sizes = sizes;
        self
    }

    /// The steps that sizes are written in.
    pub(crate) const fn sizes(&self) -> SizeSteps {
        self.sizes
    }

    /// The same, with times in this zone; without it they are UTC.
    #[must_use]
    pub fn with_zone(mut self, zone: Zone) -> Self {
        self.zone = zone;
        self
    }

    /// The zone that times are written in.
    pub const fn zone(&self) -> &Zone {
        &self.zone
    }

    /// The same, with names beside addresses.
    #[must_use]
    pub fn with_names(mut self, names: Option<Arc<Names>>) -> Self {
        self.names = names;
        self
    }

    /// Names of addresses, where they were asked for.
    pub fn names(&self) -> Option<&Arc<Names>> {
        self.names.as_ref()
    }

    /// The language spoken.
    pub const fn language(&self) -> Language {
        self.language
    }

    /// Whether there is a message `id`.
    pub fn has(&self, id: &str) -> bool {
        self.bundle.has_message(id)
    }

    /// The message `id` without arguments.
    pub fn word(&self, id: &str) -> String {
        self.text(id, &Args::new())
    }

    /// The message `id`; a missing message or argument shows in the text.
    pub fn text(&self, id: &str, args: &Args) -> String {
        self.format(id, args).map_or_else(|| format!("⟨{id}⟩"), |(text, _)| text)
    }

    /// The message `id` if there is one and it needs no other arguments.
    pub fn complete_text(&self, id: &str, args: &Args) -> Option<String> {
        self.format(id, args).filter(|(_, is_complete)| *is_complete).map(|(text, _)| text)
    }

    /// The messages whose ids `is_wanted` takes, by id, with `{name}` in place of each argument: for a program that puts the
    /// values in by itself. A message that selects on a number comes out in its default form.
    pub fn templates(&self, is_wanted: impl Fn(&str) -> bool) -> BTreeMap<String, String> {
        let source = self.language.source();
        let mut args = Args::new();
        for name in source.split("{ $").skip(1) {
            let name: String = name.chars().take_while(|c| c.is_alphanumeric() || *c == '-' || *c == '_').collect();
            args = args.text(&name, format!("{{{name}}}"));
        }
        let ids = source.lines().filter_map(|line| line.split_once(" =")).map(|(id, _)| id);
        let wanted = ids.filter(|id| !id.starts_with(['#', ' ', '-']) && is_wanted(id));
        wanted.map(|id| (id.to_owned(), self.text(id, &args))).collect()
    }

    fn format(&self, id: &str, args: &Args) -> Option<(String, bool)> {
        let pattern = self.bundle.get_message(id)?.value()?;
        let mut errors = Vec::new();
        let text = self.bundle.format_pattern(pattern, Some(&args.0), &mut errors).into_owned();
        Some((text, errors.is_empty()))
    }
}

/// `1234567` as `1,234,567`.
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
    use super::*;

    #[test]
    fn locales_name_languages() {
        for (locale, language) in [
            ("zh_CN.UTF-8", Language::SimplifiedChinese),
            ("zh-CN", Language::SimplifiedChinese),
            ("zh", Language::SimplifiedChinese),
            ("en_GB.UTF-8", Language::English),
            ("C", Language::English),
            ("", Language::English),
        ] {
            assert_eq!(Language::from_locale(locale), language, "{locale}");
        }
        for language in Language::ALL {
            assert_eq!(language.identifier().to_string(), language.tag());
        }
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
