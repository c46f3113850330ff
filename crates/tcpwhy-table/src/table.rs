//! A table: its columns, and the conversion of rows into a batch.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, Schema, SchemaRef};

use crate::columns::Column;

/// Collects rows of one table.
pub(crate) trait Builder: Default {
    /// Its columns, in order.
    fn columns() -> Vec<Column>;
    /// Description of a row.
    fn about() -> String;
    /// Arrays of the values so far, one per column. The builder is empty afterwards.
    fn finish(&mut self) -> Vec<ArrayRef>;
    /// Rows so far as a batch. The builder is empty afterwards.
    fn take(&mut self) -> Result<RecordBatch, ArrowError> {
        RecordBatch::try_new(schema_of(&Self::columns()), self.finish())
    }
    /// Number of rows so far.
    fn rows(&self) -> usize;
}

/// The Arrow schema of columns, with the contract in its metadata.
pub(crate) fn schema_of(columns: &[Column]) -> SchemaRef {
    let field = |column: &Column| arrow_schema::Field::new(column.name, column.data_type.clone(), column.is_nullable);
    let fields: Vec<_> = columns.iter().map(field).collect();
    let about = [("tcpwhy.schema", crate::SCHEMA), ("tcpwhy.version", env!("CARGO_PKG_VERSION"))];
    let about = about.map(|(key, value)| (key.to_owned(), value.to_owned()));
    Arc::new(Schema::new(fields).with_metadata(HashMap::from(about)))
}

/// Text of doc comments as one line.
pub(crate) fn joined(lines: &[&str]) -> String {
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}

/// Declares a row type, and the builder for such rows, so that the schema follows from the row. A field may
/// have several columns.
macro_rules! table {
    (
        $(#[doc = $about:literal])+
        $row:ident => $builder:ident { $( $(#[doc = $doc:literal])+ $field:ident: $kind:ty, )+ }
    ) => {
        $(#[doc = $about])+
        pub(crate) struct $row<'a> {
            $( $(#[doc = $doc])+ pub(crate) $field: <$kind as $crate::columns::Columns>::Value<'a>, )+
        }

        #[doc = concat!("Collects rows of [`", stringify!($row), "`].")]
        pub(crate) struct $builder {
            rows: usize,
            $( $field: <$kind as $crate::columns::Columns>::Builder, )+
        }

        impl Default for $builder {
            fn default() -> Self {
                Self { rows: 0, $( $field: <$kind as $crate::columns::Columns>::builder(), )+ }
            }
        }

        impl $builder {
            /// Adds a row.
            pub(crate) fn push(&mut self, row: $row<'_>) {
                $( <$kind as $crate::columns::Columns>::append(&mut self.$field, row.$field); )+
                self.rows += 1;
            }
        }

        impl $crate::table::Builder for $builder {
            fn columns() -> Vec<$crate::columns::Column> {
                let columns = [$(
                    <$kind as $crate::columns::Columns>::columns(
                        stringify!($field),
                        $crate::table::joined(&[$($doc),+]),
                    )
                ),+];
                columns.into_iter().flatten().collect()
            }

            fn about() -> String {
                $crate::table::joined(&[$($about),+])
            }

            fn finish(&mut self) -> Vec<arrow_array::ArrayRef> {
                self.rows = 0;
                let columns = [$( <$kind as $crate::columns::Columns>::finish(&mut self.$field) ),+];
                columns.into_iter().flatten().collect()
            }

            fn rows(&self) -> usize {
                self.rows
            }
        }
    };
}

pub(crate) use table;
