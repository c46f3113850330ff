//! Checks of parameters of the protocol's methods and of the tools.

use rmcp::model::JsonObject;
use serde_json::Value;

use crate::message::{Failure, failure};

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    /// A whole number, not negative.
    Number,
    /// A whole number, at least 1.
    Count,
    Texts,
    Object,
}

impl Kind {
    fn fits(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Number => value.is_u64(),
            Self::Count => value.as_u64().is_some_and(|count| count > 0),
            Self::Texts => value.as_array().is_some_and(|texts| texts.iter().all(Value::is_string)),
            Self::Object => value.is_object(),
        }
    }

    /// Message id of its name.
    const fn word(self) -> &'static str {
        match self {
            Self::Text => "mcp-kind-text",
            Self::Number => "mcp-kind-number",
            Self::Count => "mcp-kind-count",
            Self::Texts => "mcp-kind-texts",
            Self::Object => "mcp-kind-object",
        }
    }
}

/// A parameter. A `null` counts as missing.
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) is_required: bool,
}

pub(super) const fn required(name: &'static str, kind: Kind) -> Parameter {
    Parameter { name, kind, is_required: true }
}

pub(super) const fn optional(name: &'static str, kind: Kind) -> Parameter {
    Parameter { name, kind, is_required: false }
}

/// The error for the first of `parameters` that is missing in `given` or has the wrong type.
pub(super) fn first_wrong(parameters: &[Parameter], given: Option<&JsonObject>) -> Option<Failure> {
    parameters.iter().find_map(|&Parameter { name, kind, is_required }| {
        match given.and_then(|given| given.get(name)).filter(|value| !value.is_null()) {
            Some(value) if kind.fits(value) => None,
            None if !is_required => None,
            Some(_) => Some(misfit(name, kind)),
            None => Some(failure("mcp-parameter-missing").with("name", name)),
        }
    })
}

/// The error for a parameter `name` without this type.
pub(super) fn misfit(name: &'static str, kind: Kind) -> Failure {
    failure("mcp-parameter-misfit").with("name", name).with("kind", failure(kind.word()))
}
