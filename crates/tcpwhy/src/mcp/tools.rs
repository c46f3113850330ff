//! The tools that a client is offered, and their arguments.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool as Offered, ToolAnnotations};
use serde_json::{Value, json};
use tcpwhy_model::foreign::visible;
use tcpwhy_report::Catalogue;

use crate::message::{Failure, failure};

/// A tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tool {
    Explain,
    Why,
    Compare,
    Buffers,
    Audit,
    Live,
}

/// What an argument is.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    /// A whole number, not negative.
    Number,
    /// A whole number from 1 on.
    Count,
    Texts,
}

impl Kind {
    fn fits(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Number => value.is_u64(),
            Self::Count => value.as_u64().is_some_and(|count| count > 0),
            Self::Texts => value.as_array().is_some_and(|texts| texts.iter().all(Value::is_string)),
        }
    }

    /// Its word in the catalogues.
    const fn word(self) -> &'static str {
        match self {
            Self::Text => "mcp-kind-text",
            Self::Number => "mcp-kind-number",
            Self::Count => "mcp-kind-count",
            Self::Texts => "mcp-kind-texts",
        }
    }
}

/// An argument of a tool. Its words are `mcp-argument-NAME`.
struct Argument {
    name: &'static str,
    kind: Kind,
    is_required: bool,
}

const fn required(name: &'static str) -> Argument {
    Argument { name, kind: Kind::Text, is_required: true }
}

const fn optional(name: &'static str, kind: Kind) -> Argument {
    Argument { name, kind, is_required: false }
}

impl Tool {
    pub(super) const ALL: [Self; 6] = [Self::Explain, Self::Why, Self::Compare, Self::Buffers, Self::Audit, Self::Live];

    /// Its name in the protocol.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Explain => "explain",
            Self::Why => "why",
            Self::Compare => "compare",
            Self::Buffers => "buffers",
            Self::Audit => "audit",
            Self::Live => "live",
        }
    }

    /// The tool of this name.
    pub(super) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    const fn arguments(self) -> &'static [Argument] {
        const FIRST: Argument = optional("first", Kind::Count);
        const EXPLAIN: &[Argument] = &[
            optional("capture", Kind::Text),
            optional("connection", Kind::Number),
            optional("connections", Kind::Number),
            optional("filter", Kind::Text),
            optional("code", Kind::Text),
            FIRST,
        ];
        const WHY: &[Argument] = &[required("capture"), required("time"), optional("connection", Kind::Number)];
        const COMPARE: &[Argument] =
            &[required("before"), required("after"), optional("connections", Kind::Text), FIRST];
        const BUFFERS: &[Argument] = &[
            optional("sndbuf", Kind::Text),
            optional("rcvbuf", Kind::Text),
            optional("window", Kind::Text),
            optional("rtt", Kind::Text),
            optional("bandwidth", Kind::Text),
            optional("bytes", Kind::Text),
            optional("kernel", Kind::Text),
            optional("sysctl", Kind::Texts),
        ];
        const AUDIT: &[Argument] = &[optional("host", Kind::Text), optional("path", Kind::Text), FIRST];
        const LIVE: &[Argument] = &[optional("seconds", Kind::Count), optional("filter", Kind::Text), FIRST];
        match self {
            Self::Explain => EXPLAIN,
            Self::Why => WHY,
            Self::Compare => COMPARE,
            Self::Buffers => BUFFERS,
            Self::Audit => AUDIT,
            Self::Live => LIVE,
        }
    }

    /// What is wrong with `arguments`, if anything is: it names the first wrong one.
    pub(super) fn wrong_argument(self, arguments: &JsonObject) -> Option<Failure> {
        let known = self.arguments();
        let unknown = arguments.keys().find(|name| known.iter().all(|argument| argument.name != name.as_str()));
        if let Some(name) = unknown {
            let names = known.iter().map(|argument| argument.name).collect::<Vec<_>>().join(", ");
            return Some(failure("mcp-argument-unknown").with("name", visible(name).into_owned()).with("names", names));
        }
        known.iter().find_map(|argument| {
            let value = arguments.get(argument.name).filter(|value| !value.is_null());
            let name = argument.name;
            match value {
                Some(value) if argument.kind.fits(value) => None,
                None if !argument.is_required => None,
                None => Some(failure("mcp-parameter-missing").with("name", name)),
                Some(_) => {
                    let kind = failure(argument.kind.word());
                    Some(failure("mcp-parameter-misfit").with("name", name).with("kind", kind))
                }
            }
        })
    }

    /// The tool as a client is offered it.
    pub(super) fn offered(self, words: &Catalogue) -> Offered {
        let about = words.word(&format!("mcp-tool-{}", self.name()));
        let reads = ToolAnnotations::new().read_only(true).open_world(false);
        Offered::new(self.name(), about, Arc::new(self.schema(words))).with_annotations(reads)
    }

    /// JSON Schema of its arguments.
    fn schema(self, words: &Catalogue) -> JsonObject {
        let property = |argument: &Argument| {
            let own = format!("mcp-argument-{}-{}", self.name(), argument.name);
            let id = if words.has(&own) { own } else { format!("mcp-argument-{}", argument.name) };
            let mut property = match argument.kind {
                Kind::Text => json!({ "type": "string" }),
                Kind::Number => json!({ "type": "integer", "minimum": 0 }),
                Kind::Count => json!({ "type": "integer", "minimum": 1 }),
                Kind::Texts => json!({ "type": "array", "items": { "type": "string" } }),
            };
            property["description"] = words.word(&id).into();
            (argument.name.to_owned(), property)
        };
        let arguments = self.arguments();
        let properties: JsonObject = arguments.iter().map(property).collect();
        let required: Vec<_> = arguments.iter().filter(|argument| argument.is_required).map(|a| a.name).collect();
        let mut schema = JsonObject::new();
        schema.insert("type".into(), "object".into());
        schema.insert("properties".into(), properties.into());
        if !required.is_empty() {
            schema.insert("required".into(), required.into());
        }
        schema.insert("additionalProperties".into(), Value::Bool(false));
        schema
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_report::Language;

    use super::*;

    /// What a client reads before it asks anything: other servers have 21 KB of it.
    const MOST_BYTES: usize = 6000;

    #[test]
    fn the_text_of_all_tools_is_small() {
        for language in [Language::English, Language::SimplifiedChinese] {
            let words = Catalogue::new(language);
            let tools: Vec<_> = Tool::ALL.into_iter().map(|tool| tool.offered(&words)).collect();
            let text = serde_json::to_string(&tools).unwrap();
            let all = text.len() + words.word("mcp-instructions").len();
            assert!(all <= MOST_BYTES, "{all} bytes");
            assert!(!text.contains('⟨'), "a word is missing: {text}");
        }
    }
}
