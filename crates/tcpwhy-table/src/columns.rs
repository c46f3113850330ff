//! Columns for a field of a row: one or several.

use arrow_array::ArrayRef;
use arrow_array::builder::ArrayBuilder as _;

use crate::kind::Kind;

/// A column of the contract.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Its Arrow type.
    pub data_type: arrow_schema::DataType,
    /// Whether its values can be null.
    pub is_nullable: bool,
    /// Description.
    pub about: String,
}

/// Columns for a field of a row. A [`Kind`] is a single column.
pub(crate) trait Columns {
    /// A value of a row.
    type Value<'a>;
    /// Builder that collects values.
    type Builder;

    /// Columns for the field `name` with the description `about`.
    fn columns(name: &'static str, about: String) -> Vec<Column>;
    /// An empty builder.
    fn builder() -> Self::Builder;
    /// Adds a value.
    fn append(builder: &mut Self::Builder, value: Self::Value<'_>);
    /// Arrays of the values so far, one per column. The builder is empty afterwards.
    fn finish(builder: &mut Self::Builder) -> Vec<ArrayRef>;
}

impl<K: Kind> Columns for K {
    type Value<'a> = K::Value<'a>;
    type Builder = K::Builder;

    fn columns(name: &'static str, about: String) -> Vec<Column> {
        vec![Column { name, data_type: K::data_type(), is_nullable: K::IS_NULLABLE, about }]
    }

    fn builder() -> Self::Builder {
        K::builder()
    }

    fn append(builder: &mut Self::Builder, value: Self::Value<'_>) {
        K::append(builder, value);
    }

    fn finish(builder: &mut Self::Builder) -> Vec<ArrayRef> {
        vec![builder.finish()]
    }
}
