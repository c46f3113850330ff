//! What a field of a row becomes: one column, or several.

use arrow_array::ArrayRef;
use arrow_array::builder::ArrayBuilder as _;

use crate::kind::Kind;

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

/// What a field of a row becomes. A [`Kind`] is one column.
pub(crate) trait Columns {
    /// A value of a row.
    type Value<'a>;
    /// Collects values.
    type Builder;

    /// The columns of the field `name`, which `about` describes.
    fn columns(name: &'static str, about: String) -> Vec<Column>;
    /// An empty builder.
    fn builder() -> Self::Builder;
    /// Adds a value.
    fn append(builder: &mut Self::Builder, value: Self::Value<'_>);
    /// The values of each column so far, and none are left.
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
