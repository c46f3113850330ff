//! The parameters of the protocol's methods that are validated before the library reads them.

use rmcp::model::InitializeRequestParams;
use serde::Deserialize as _;
use serde_json::Value;

use super::super::parameter::{Kind, Parameter, first_wrong, misfit, optional, required};
use crate::message::{Failure, failure};

/// The parameter that every method may have.
const META: Parameter = optional("_meta", Kind::Object);

/// The parameters of `method` in the schema of the protocol; `None` for an unknown method.
fn of(method: &str) -> Option<&'static [Parameter]> {
    const NOTHING: &[Parameter] = &[META];
    const PAGE: &[Parameter] = &[META, optional("cursor", Kind::Text)];
    const INITIALIZE: &[Parameter] = &[
        META,
        required("protocolVersion", Kind::Text),
        required("capabilities", Kind::Object),
        required("clientInfo", Kind::Object),
    ];
    const CALL: &[Parameter] = &[META, required("name", Kind::Text), optional("arguments", Kind::Object)];
    const URI: &[Parameter] = &[META, required("uri", Kind::Text)];
    const LEVEL: &[Parameter] = &[META, required("level", Kind::Text)];
    const COMPLETE: &[Parameter] = &[META, required("ref", Kind::Object), required("argument", Kind::Object)];
    Some(match method {
        "ping" | "server/discover" => NOTHING,
        "initialize" => INITIALIZE,
        "tools/list" | "resources/list" | "resources/templates/list" | "prompts/list" => PAGE,
        "tools/call" | "prompts/get" => CALL,
        "resources/read" | "resources/subscribe" | "resources/unsubscribe" => URI,
        "logging/setLevel" => LEVEL,
        "completion/complete" => COMPLETE,
        _ => return None,
    })
}

/// Whether the protocol has this method.
pub(super) fn is_known(method: &str) -> bool {
    of(method).is_some()
}

/// The error for the first wrong parameter of `method`, if any.
pub(super) fn wrong(method: &str, params: Option<&Value>) -> Option<Failure> {
    let params = match params.filter(|params| !params.is_null()) {
        Some(Value::Object(params)) => Some(params),
        Some(_) => return Some(misfit("params", Kind::Object)),
        None => None,
    };
    first_wrong(of(method)?, params)
}

/// The reason why the library cannot read the parameters of `request`.
pub(super) fn unread(request: &Value) -> Failure {
    let why = match request["method"].as_str() {
        Some("initialize") => InitializeRequestParams::deserialize(&request["params"]).err(),
        _ => None,
    };
    match why {
        Some(why) => failure("mcp-unreadable").with("what", why.to_string()),
        None => failure("mcp-parameters"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_wrong_parameter_is_named() {
        for (method, params, expected) in [
            ("tools/list", json!(null), None),
            ("tools/list", json!({ "cursor": null, "_meta": {} }), None),
            ("tools/list", json!({ "cursor": 7 }), Some("cursor must be a string")),
            ("tools/list", json!({ "_meta": [] }), Some("_meta must be an object")),
            ("tools/list", json!([]), Some("params must be an object")),
            ("tools/call", json!({}), Some("name is missing")),
            ("tools/call", json!(null), Some("name is missing")),
            ("tools/call", json!({ "name": "why", "arguments": [1] }), Some("arguments must be an object")),
            ("tools/call", json!({ "name": "why" }), None),
            ("resources/read", json!({ "uri": null }), Some("uri is missing")),
            ("no/such", json!({ "name": 7 }), None),
            ("no/such", json!("text"), Some("params must be an object")),
        ] {
            let said = wrong(method, Some(&params)).map(|why| why.to_string());
            assert_eq!(said.as_deref(), expected, "{method} {params}");
        }
        assert!(wrong("tools/list", None).is_none() && wrong("tools/call", None).is_some());
    }
}
