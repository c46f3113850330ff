use serde::Serialize;

/// Name and version of the contract.
pub const SCHEMA: &str = "tcpwhy/1";

/// The program that wrote a document.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct Tool {
    /// `tcpwhy`.
    pub(crate) name: String,
    /// Semantic version.
    pub(crate) version: String,
}

impl Tool {
    /// This program, in this version.
    pub fn this() -> Self {
        Self { name: "tcpwhy".into(), version: env!("CARGO_PKG_VERSION").into() }
    }
}
