//! The tools that clients can call, and their arguments.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool as Offered, ToolAnnotations};
use serde_json::{Value, json};
use tcpwhy_model::foreign::visible;
use tcpwhy_report::Catalogue;

use super::parameter::{Kind, Parameter, first_wrong, optional, required};
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

    /// Its arguments; their descriptions are `mcp-argument-NAME`.
    const fn arguments(self) -> &'static [Parameter] {
        const FIRST: Parameter = optional("first", Kind::Count);
        const EXPLAIN: &[Parameter] = &[
            optional("capture", Kind::Text),
            optional("connection", Kind::Number),
            optional("connections", Kind::Number),
            optional("filter", Kind::Text),
            optional("code", Kind::Text),
            FIRST,
        ];
        const WHY: &[Parameter] =
            &[required("capture", Kind::Text), required("time", Kind::Text), optional("connection", Kind::Number)];
        const COMPARE: &[Parameter] = &[
            required("before", Kind::Text),
            required("after", Kind::Text),
            optional("connections", Kind::Text),
            FIRST,
        ];
        const BUFFERS: &[Parameter] = &[
            optional("sndbuf", Kind::Text),
            optional("rcvbuf", Kind::Text),
            optional("window", Kind::Text),
            optional("rtt", Kind::Text),
            optional("bandwidth", Kind::Text),
            optional("bytes", Kind::Text),
            optional("kernel", Kind::Text),
            optional("sysctl", Kind::Texts),
        ];
        const AUDIT: &[Parameter] = &[optional("host", Kind::Text), optional("path", Kind::Text), FIRST];
        const LIVE: &[Parameter] = &[optional("seconds", Kind::Count), optional("filter", Kind::Text), FIRST];
        match self {
            Self::Explain => EXPLAIN,
            Self::Why => WHY,
            Self::Compare => COMPARE,
            Self::Buffers => BUFFERS,
            Self::Audit => AUDIT,
            Self::Live => LIVE,
        }
    }

    /// The error for the first wrong one of `arguments`, if any.
    pub(super) fn wrong_argument(self, arguments: &JsonObject) -> Option<Failure> {
        let known = self.arguments();
        let unknown = arguments.keys().find(|name| known.iter().all(|argument| argument.name != name.as_str()));
        if let Some(name) = unknown {
            let names = known.iter().map(|argument| argument.name).collect::<Vec<_>>().join(", ");
            return Some(failure("mcp-argument-unknown").with("name", visible(name).into_owned()).with("names", names));
        }
        first_wrong(known, Some(arguments))
    }

    /// The tool's description in the protocol.
    pub(super) fn offered(self, words: &Catalogue) -> Offered {
        let about = words.word(&format!("mcp-tool-{}", self.name()));
        let reads = ToolAnnotations::new().read_only(true).open_world(false);
        Offered::new(self.name(), about, Arc::new(self.schema(words))).with_annotations(reads)
    }

    /// JSON Schema of its arguments.
    fn schema(self, words: &Catalogue) -> JsonObject {
        let property = |argument: &Parameter| {
            let own = format!("mcp-argument-{}-{}", self.name(), argument.name);
            let id = if words.has(&own) { own } else { format!("mcp-argument-{}", argument.name) };
            let mut property = match argument.kind {
                Kind::Text => json!({ "type": "string" }),
                Kind::Number => json!({ "type": "integer", "minimum": 0 }),
                Kind::Count => json!({ "type": "integer", "minimum": 1 }),
                Kind::Texts => json!({ "type": "array", "items": { "type": "string" } }),
                Kind::Object => json!({ "type": "object" }),
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

    /// Most bytes of all descriptions, which a client reads before its first call: other servers have 21 KB.
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
