//! Arguments that subcommands share: the language and the appearance of the output.

use std::sync::LazyLock;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use tcpwhy_report::text::Look;
use tcpwhy_report::{Catalogue, Language, SizeSteps};

use crate::environment::{self, Colors};
use crate::number::within;

/// The language of the output, for every subcommand that prints sentences.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct LanguageArgs {
    #[arg(long, value_name = "LANG")]
    lang: Option<LanguageChoice>,
}

impl LanguageArgs {
    /// The requested language, by default that of the locale.
    pub(crate) fn language(self) -> Language {
        environment::language(self.lang.map(Into::into))
    }
}

/// The appearance of the output, for every subcommand whose text has colours and wrapped lines.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct LookArgs {
    #[command(flatten)]
    pub(crate) words: LanguageArgs,

    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,

    #[arg(long, value_name = "N", value_parser = within::<u16>(40..=65535))]
    pub(crate) width: Option<u16>,

    #[arg(long, value_name = "UNITS", default_value = "si")]
    pub(crate) units: UnitsChoice,
}

impl LookArgs {
    /// The appearance for output other than to a terminal.
    pub(crate) const fn in_language(words: LanguageArgs) -> Self {
        Self { words, color: ColorChoice::Never, width: None, units: UnitsChoice::Si }
    }

    /// The requested language, by default that of the locale.
    pub(crate) fn language(self) -> Language {
        self.words.language()
    }

    /// The catalogue, with the requested units.
    pub(crate) fn catalogue(self) -> Catalogue {
        Catalogue::new(self.language()).with_sizes(self.units.into())
    }

    /// Width, colours and characters of text on standard output.
    pub(crate) fn look(self) -> Look {
        environment::look(self.color.into(), self.width)
    }
}

/// `--lang`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LanguageChoice(Language);

impl ValueEnum for LanguageChoice {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<LanguageChoice>> = LazyLock::new(|| Language::ALL.map(LanguageChoice).to_vec());
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let tag = self.0.tag();
        let aliases = [self.0.primary().to_owned(), tag.replace('-', "_")];
        Some(PossibleValue::new(tag).aliases(aliases.into_iter().filter(|alias| alias != tag)))
    }
}

impl From<LanguageChoice> for Language {
    fn from(choice: LanguageChoice) -> Self {
        choice.0
    }
}

/// `--color`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    Auto,
    Always,
    Never,
}

impl From<ColorChoice> for Colors {
    fn from(choice: ColorChoice) -> Self {
        match choice {
            ColorChoice::Auto => Self::Auto,
            ColorChoice::Always => Self::Always,
            ColorChoice::Never => Self::Never,
        }
    }
}

/// `--units`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum UnitsChoice {
    Si,
    Iec,
}

impl From<UnitsChoice> for SizeSteps {
    fn from(choice: UnitsChoice) -> Self {
        match choice {
            UnitsChoice::Si => Self::Decimal,
            UnitsChoice::Iec => Self::Binary,
        }
    }
}
