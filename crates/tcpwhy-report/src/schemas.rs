//! The JSON Schemas as `tcpwhy schema` prints them: made from the types of [`dto`](crate::dto), kept in `schemas/`, packed, so that
//! the program need not hold what makes them.

use crate::packed::{packed, unpacked};

/// What a schema is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaOf {
    /// [`Document`](crate::dto::Document), and [`Record`](crate::dto::Record) under `$defs`.
    Explain,
    /// [`CompareDocument`](crate::dto::CompareDocument).
    Compare,
    /// [`BuffersDocument`](crate::dto::BuffersDocument).
    Buffers,
    /// [`AuditDocument`](crate::dto::AuditDocument).
    Audit,
    /// [`LabDocument`](crate::dto::LabDocument).
    Lab,
    /// [`LiveDocument`](crate::dto::LiveDocument), and [`LiveRecord`](crate::dto::LiveRecord) under `$defs`.
    Live,
}

impl SchemaOf {
    /// The schema on indented lines, the last one ended.
    pub fn text(self) -> String {
        unpacked(match self {
            Self::Explain => packed!("explain"),
            Self::Compare => packed!("compare"),
            Self::Buffers => packed!("buffers"),
            Self::Audit => packed!("audit"),
            Self::Lab => packed!("lab"),
            Self::Live => packed!("live"),
        })
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;

    use super::*;
    use crate::dto;

    /// `UPDATE_EXPECT=1` writes them anew; what is printed is that when it is built again.
    #[test]
    fn schemas_are_those_of_the_types() {
        for (of, schema, file) in [
            (SchemaOf::Explain, dto::json_schema(), expect_file!["../schemas/explain.json"]),
            (SchemaOf::Compare, dto::compare_schema(), expect_file!["../schemas/compare.json"]),
            (SchemaOf::Buffers, dto::buffers_schema(), expect_file!["../schemas/buffers.json"]),
            (SchemaOf::Audit, dto::audit_schema(), expect_file!["../schemas/audit.json"]),
            (SchemaOf::Lab, dto::lab_schema(), expect_file!["../schemas/lab.json"]),
            (SchemaOf::Live, dto::live_schema(), expect_file!["../schemas/live.json"]),
        ] {
            let made = serde_json::to_string_pretty(&schema).unwrap() + "\n";
            file.assert_eq(&made);
            if std::env::var_os("UPDATE_EXPECT").is_none() {
                assert!(of.text() == made, "{of:?}");
            }
        }
    }
}
