//! A table: its columns, and rows that become a batch.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};

/// A column as its contract has it.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Its Arrow type.
    pub data_type: arrow_schema::DataType,
    /// Whether a row may have none.
    pub is_nullable: bool,
    /// What it says.
    pub about: String,
}

/// Rows of one table, collected.
pub(crate) trait Builder: Default {
    /// Its columns, in order.
    fn columns() -> Vec<Column>;
    /// What a row is.
    fn about() -> String;
    /// The rows so far, and none are left.
    fn take(&mut self) -> Result<RecordBatch, arrow_schema::ArrowError>;
    /// Rows so far.
    fn rows(&self) -> usize;
}

/// The Arrow schema of columns, with the contract that they follow.
pub(crate) fn schema_of(columns: &[Column]) -> SchemaRef {
    let field = |column: &Column| arrow_schema::Field::new(column.name, column.data_type.clone(), column.is_nullable);
    let fields: Vec<_> = columns.iter().map(field).collect();
    let about = [("tcpwhy.schema", crate::SCHEMA), ("tcpwhy.version", env!("CARGO_PKG_VERSION"))];
    let about = about.map(|(key, value)| (key.to_owned(), value.to_owned()));
    Arc::new(Schema::new(fields).with_metadata(HashMap::from(about)))
}

/// The text of doc comments.
pub(crate) fn joined(lines: &[&str]) -> String {
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}

/// A row type, and the builder that collects such rows: the schema follows from the row.
macro_rules! table {
    (
        $(#[doc = $about:literal])+
        $row:ident => $builder:ident { $( $(#[doc = $doc:literal])+ $field:ident: $kind:ty, )+ }
    ) => {
        $(#[doc = $about])+
        pub(crate) struct $row<'a> {
            $( $(#[doc = $doc])+ pub(crate) $field: <$kind as $crate::kind::Kind>::Value<'a>, )+
        }

        #[doc = concat!("Collects rows of [`", stringify!($row), "`].")]
        pub(crate) struct $builder {
            rows: usize,
            $( $field: <$kind as $crate::kind::Kind>::Builder, )+
        }

        impl Default for $builder {
            fn default() -> Self {
                Self { rows: 0, $( $field: <$kind as $crate::kind::Kind>::builder(), )+ }
            }
        }

        impl $builder {
            /// Adds a row.
            pub(crate) fn push(&mut self, row: $row<'_>) {
                $( <$kind as $crate::kind::Kind>::append(&mut self.$field, row.$field); )+
                self.rows += 1;
            }
        }

        impl $crate::table::Builder for $builder {
            fn columns() -> Vec<$crate::table::Column> {
                vec![$( $crate::table::Column {
                    name: stringify!($field),
                    data_type: <$kind as $crate::kind::Kind>::data_type(),
                    is_nullable: <$kind as $crate::kind::Kind>::IS_NULLABLE,
                    about: $crate::table::joined(&[$($doc),+]),
                } ),+]
            }

            fn about() -> String {
                $crate::table::joined(&[$($about),+])
            }

            fn take(&mut self) -> Result<arrow_array::RecordBatch, arrow_schema::ArrowError> {
                let columns: Vec<arrow_array::ArrayRef> = vec![$( std::sync::Arc::new(self.$field.finish()) ),+];
                self.rows = 0;
                arrow_array::RecordBatch::try_new($crate::table::schema_of(&Self::columns()), columns)
            }

            fn rows(&self) -> usize {
                self.rows
            }
        }
    };
}

pub(crate) use table;
