//! The columns of facts that are declared once for every output.

use std::marker::PhantomData;

use arrow_array::ArrayRef;
use arrow_array::builder::{ArrayBuilder, BooleanBuilder, Float64Builder, Int64Builder, StringBuilder};
use tcpwhy_report::dto::{FactKind, FactValue, Facts};

use crate::columns::{Column, Columns};
use crate::kind::{Integer, Kind as _, Real, Text, Truth};

/// A column for each of the facts `F`.
pub(crate) struct Published<F>(PhantomData<F>);

/// Collects the values of a fact.
pub(crate) enum Values {
    Integer(Int64Builder),
    Real(Float64Builder),
    Truth(BooleanBuilder),
    Text(StringBuilder),
}

impl Values {
    fn new(kind: FactKind) -> Self {
        match kind {
            FactKind::Integer => Self::Integer(Int64Builder::new()),
            FactKind::Real => Self::Real(Float64Builder::new()),
            FactKind::Truth => Self::Truth(BooleanBuilder::new()),
            FactKind::Text => Self::Text(StringBuilder::new()),
        }
    }

    /// A value of another kind is none: it does not come, as both follow from one declaration.
    fn append(&mut self, value: FactValue) {
        match (self, value) {
            (Self::Integer(builder), FactValue::Integer(value)) => builder.append_value(value),
            (Self::Real(builder), FactValue::Real(value)) => builder.append_value(value),
            (Self::Truth(builder), FactValue::Truth(value)) => builder.append_value(value),
            (Self::Text(builder), FactValue::Text(value)) => builder.append_value(value),
            (Self::Integer(builder), _) => builder.append_null(),
            (Self::Real(builder), _) => builder.append_null(),
            (Self::Truth(builder), _) => builder.append_null(),
            (Self::Text(builder), _) => builder.append_null(),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Integer(builder) => ArrayBuilder::finish(builder),
            Self::Real(builder) => ArrayBuilder::finish(builder),
            Self::Truth(builder) => ArrayBuilder::finish(builder),
            Self::Text(builder) => ArrayBuilder::finish(builder),
        }
    }
}

impl<F: Facts> Columns for Published<F> {
    type Value<'a> = F;
    type Builder = Vec<Values>;

    fn columns(_: &'static str, _: String) -> Vec<Column> {
        let data_type = |kind| match kind {
            FactKind::Integer => Integer::data_type(),
            FactKind::Real => Real::data_type(),
            FactKind::Truth => Truth::data_type(),
            FactKind::Text => Text::data_type(),
        };
        let column = |fact: tcpwhy_report::dto::Fact| Column {
            name: fact.name,
            data_type: data_type(fact.kind),
            is_nullable: fact.is_nullable,
            about: fact.about,
        };
        F::facts().into_iter().map(column).collect()
    }

    fn builder() -> Vec<Values> {
        F::facts().into_iter().map(|fact| Values::new(fact.kind)).collect()
    }

    fn append(builder: &mut Vec<Values>, value: F) {
        builder.iter_mut().zip(value.values()).for_each(|(values, value)| values.append(value));
    }

    fn finish(builder: &mut Vec<Values>) -> Vec<ArrayRef> {
        builder.iter_mut().map(Values::finish).collect()
    }
}
