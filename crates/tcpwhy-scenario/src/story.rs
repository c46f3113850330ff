//! What a scenario tells, for people.

use serde::{Deserialize, Serialize};
use tcpwhy_model::Message;
use tcpwhy_model::foreign::is_hidden;

use super::{Bytes, Nanos};

/// The story behind a scenario, in the languages of the product.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Story {
    /// English.
    pub en: Words,
    /// Simplified Chinese.
    #[serde(rename = "zh-CN")]
    pub zh_cn: Words,
    /// Where it was told, or what it was measured for: a title, a link, a kernel function.
    pub source: String,
    /// What was told of the original, where it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported: Option<Reported>,
}

/// How long so much took, as it was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Reported {
    /// Payload.
    pub bytes: Bytes,
    /// From the first byte to the last.
    pub took: Nanos,
}

/// A story in one language.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// One line.
    pub title: String,
    /// Markdown: who saw what, what the reason was, what to look for in the picture.
    pub text: String,
}

impl Story {
    /// It is printed as it is.
    pub(super) fn check(&self) -> Result<(), Message> {
        let titles = [&self.en.title, &self.zh_cn.title, &self.source];
        if titles.iter().any(|title| title.contains(is_hidden)) {
            return Err(Message::new("scenario-title"));
        }
        if [&self.en.text, &self.zh_cn.text].iter().any(|text| text.contains(|c| c != '\n' && is_hidden(c))) {
            return Err(Message::new("scenario-story"));
        }
        Ok(())
    }

    /// The words in `language` (`en`, `zh-CN`); English for all others.
    pub fn words(&self, language: &str) -> &Words {
        if language == "zh-CN" { &self.zh_cn } else { &self.en }
    }
}
