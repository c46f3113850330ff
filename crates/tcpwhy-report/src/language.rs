//! The languages of tcpwhy. Each has a folder in `locales/` and a line in this file.

use std::sync::LazyLock;

use unic_langid::LanguageIdentifier;

use crate::catalogue::messages::{Messages, PackedFiles};

/// Defines the languages by name, tag (the folder's name) and whether each message is translated. If some are
/// not (`begun`), English replaces them.
macro_rules! languages {
    ($($(#[doc = $doc:literal])+ $name:ident = $tag:literal $state:ident;)+) => {
        /// A language of tcpwhy's messages.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum Language {
            #[default]
            $($(#[doc = $doc])+ $name,)+
        }

        impl Language {
            /// All languages, English first.
            pub const ALL: [Self; { [$($tag),+].len() }] = [$(Self::$name),+];

            /// BCP 47 tag, as for `--lang`.
            pub const fn tag(self) -> &'static str {
                match self { $(Self::$name => $tag,)+ }
            }

            /// Whether all messages are translated.
            pub const fn is_complete(self) -> bool {
                match self { $(Self::$name => matches!(State::$state, State::complete),)+ }
            }

            /// Its Fluent files.
            #[allow(clippy::unreadable_literal, clippy::large_stack_arrays, reason = "constants that `build.rs` wrote")]
            pub(crate) fn packed(self) -> PackedFiles {
                match self {
                    $(Self::$name => const { include!(concat!(env!("OUT_DIR"), "/", $tag, ".rs")) },)+
                }
            }

            /// Its messages by id, shared by all catalogues.
            pub(crate) fn messages(self) -> &'static Messages {
                match self {
                    $(Self::$name => {
                        static MESSAGES: LazyLock<Messages> = LazyLock::new(|| Language::$name.read());
                        &MESSAGES
                    })+
                }
            }
        }
    };
}

/// State of a language's translation.
#[allow(non_camel_case_types, dead_code, reason = "they stand in the table as words")]
enum State {
    complete,
    begun,
}

languages! {
    /// English.
    English = "en" complete;
    /// Simplified Chinese.
    SimplifiedChinese = "zh-CN" complete;
}

impl Language {
    /// The language with this tag (`zh-CN`, `zh_CN`) or primary subtag (`zh`).
    pub fn from_tag(tag: &str) -> Option<Self> {
        let tag = tag.replace('_', "-");
        let is_asked = |one: &Self| one.tag().eq_ignore_ascii_case(&tag) || one.primary().eq_ignore_ascii_case(&tag);
        Self::ALL.into_iter().find(is_asked)
    }

    /// The language of a POSIX locale (`zh_CN.UTF-8`) or a BCP 47 tag (`zh-CN`); English for all others.
    pub fn from_locale(locale: &str) -> Self {
        let name = locale.split(['.', '@']).next().unwrap_or_default();
        let asked = name.split(['_', '-']).next().unwrap_or_default();
        Self::ALL.into_iter().find(|one| one.primary() == asked).unwrap_or_default()
    }

    /// Primary subtag: the language without its region.
    pub fn primary(self) -> &'static str {
        self.tag().split('-').next().unwrap_or_default()
    }

    pub(crate) fn identifier(self) -> LanguageIdentifier {
        // Every tag parses (a test ensures it); the default only lacks plural rules.
        self.tag().parse().unwrap_or_default()
    }

    /// Its messages, with English ones for those that are missing.
    fn read(self) -> Messages {
        let own = Messages::new(self.packed());
        if self.is_complete() { own } else { own.with_stand_ins(Messages::standing_in(Self::English.packed())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_locales() {
        for (locale, language) in [
            ("zh_CN.UTF-8", Language::SimplifiedChinese),
            ("zh-CN", Language::SimplifiedChinese),
            ("zh", Language::SimplifiedChinese),
            ("en_US.UTF-8", Language::English),
            ("de_DE", Language::English),
            ("C", Language::English),
            ("", Language::English),
        ] {
            assert_eq!(Language::from_locale(locale), language, "{locale}");
        }
        for language in Language::ALL {
            for tag in [language.tag().to_owned(), language.primary().to_owned(), language.tag().replace('-', "_")] {
                assert_eq!(Language::from_tag(&tag), Some(language), "{tag}");
            }
            assert_eq!(language.identifier().to_string(), language.tag());
        }
        assert_eq!(Language::from_tag("tlh"), None);
    }

    #[test]
    fn each_folder_is_a_language() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/locales");
        let mut folders: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        folders.sort();
        let mut tags = Language::ALL.map(|language| language.tag().to_owned());
        tags.sort();
        assert_eq!(folders, tags);
    }
}
