//! The JSON Schemas that `tcpwhy schema` prints. A test generates them from the types of [`dto`](crate::dto)
//! into `schemas/`. The program contains these files compressed, so it does not need the generator.

use crate::packed::{packed, unpacked};

/// The document that a schema describes.
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
    /// [`SimDocument`](crate::dto::SimDocument).
    Sim,
    /// [`PredictDocument`](crate::dto::PredictDocument).
    Predict,
    /// [`LiveDocument`](crate::dto::LiveDocument), and [`LiveRecord`](crate::dto::LiveRecord) under `$defs`.
    Live,
}

impl SchemaOf {
    /// The schema on indented lines, with a final line break.
    pub fn text(self) -> String {
        unpacked(match self {
            Self::Explain => packed!("explain"),
            Self::Compare => packed!("compare"),
            Self::Buffers => packed!("buffers"),
            Self::Audit => packed!("audit"),
            Self::Lab => packed!("lab"),
            Self::Sim => packed!("sim"),
            Self::Predict => packed!("predict"),
            Self::Live => packed!("live"),
        })
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;
    use schemars::generate::SchemaSettings;

    use super::*;
    use crate::dto;

    /// `UPDATE_EXPECT=1` writes the files; the program prints the new ones after the next build.
    #[test]
    fn schemas_are_those_of_the_types() {
        let generator = || SchemaSettings::draft2020_12().into_generator();
        let (mut explain, mut live) = (generator(), generator());
        explain.subschema_for::<dto::Record>();
        live.subschema_for::<dto::LiveRecord>();
        let explain = explain.into_root_schema_for::<dto::Document>();
        let live = live.into_root_schema_for::<dto::LiveDocument<Vec<dto::Connection>, Vec<dto::LiveEvent>>>();
        let compare = generator().into_root_schema_for::<dto::CompareDocument>();
        let buffers = generator().into_root_schema_for::<dto::BuffersDocument>();
        let sim = generator().into_root_schema_for::<dto::SimDocument>();
        let predict = generator().into_root_schema_for::<dto::PredictDocument>();
        let audit = generator().into_root_schema_for::<dto::AuditDocument>();
        let lab = generator().into_root_schema_for::<dto::LabDocument>();
        for (of, mut schema, kind, file) in [
            (SchemaOf::Explain, explain, "", expect_file!["../schemas/explain.json"]),
            (SchemaOf::Compare, compare, " compare", expect_file!["../schemas/compare.json"]),
            (SchemaOf::Buffers, buffers, "", expect_file!["../schemas/buffers.json"]),
            (SchemaOf::Audit, audit, " audit", expect_file!["../schemas/audit.json"]),
            (SchemaOf::Lab, lab, " lab", expect_file!["../schemas/lab.json"]),
            (SchemaOf::Sim, sim, "", expect_file!["../schemas/sim.json"]),
            (SchemaOf::Predict, predict, "", expect_file!["../schemas/predict.json"]),
            (SchemaOf::Live, live, "", expect_file!["../schemas/live.json"]),
        ] {
            schema.insert("title".into(), format!("{}{kind}", dto::SCHEMA).into());
            let made = serde_json::to_string_pretty(&schema).unwrap() + "\n";
            file.assert_eq(&made);
            if std::env::var_os("UPDATE_EXPECT").is_none() {
                assert!(of.text() == made, "{of:?}");
            }
        }
    }
}
