//! Columns for facts, which are declared once for every output.

use std::marker::PhantomData;

use arrow_array::ArrayRef;
use arrow_array::builder::ArrayBuilder;
use arrow_schema::DataType;
use tcpwhy_report::dto::{Fact, FactKind, FactValue, Facts};

use crate::columns::{Column, Columns};
use crate::kind::{Integer, Kind, Port, Real, Text, Tiny, Truth};

/// A column for each of the facts `F`.
pub(crate) struct Published<F>(PhantomData<F>);

/// Maps a kind of fact to the kind of column with the same name.
macro_rules! values {
    ($($kind:ident)+) => {
        /// Builder for the values of a fact.
        pub(crate) enum Values {
            $( $kind(<$kind as Kind>::Builder), )+
        }

        impl Values {
            fn new(kind: FactKind) -> Self {
                match kind {
                    $( FactKind::$kind => Self::$kind(<$kind as Kind>::builder()), )+
                }
            }

            /// Adds a value. Kind and value come from one declaration, so a value of another kind cannot
            /// occur and would be null.
            fn append(&mut self, value: FactValue) {
                match (self, value) {
                    $(
                        (Self::$kind(builder), FactValue::$kind(value)) => <$kind as Kind>::append(builder, value),
                        (Self::$kind(builder), _) => <$kind as Kind>::append_null(builder),
                    )+
                }
            }

            fn finish(&mut self) -> ArrayRef {
                match self {
                    $( Self::$kind(builder) => ArrayBuilder::finish(builder), )+
                }
            }
        }

        fn data_type(kind: FactKind) -> DataType {
            match kind {
                $( FactKind::$kind => <$kind as Kind>::data_type(), )+
            }
        }
    };
}

values! { Tiny Port Integer Real Truth Text }

/// Collects the values of a fact about an `S`.
pub(crate) struct Collected<S> {
    of: fn(&S) -> FactValue,
    values: Values,
}

impl<F: Facts> Columns for Published<F>
where
    F::Subject: 'static,
{
    type Value<'a> = &'a F::Subject;
    type Builder = Vec<Collected<F::Subject>>;

    fn columns(_: &'static str, _: String) -> Vec<Column> {
        let column = |fact: Fact<F::Subject>| Column {
            name: fact.name,
            data_type: data_type(fact.kind),
            is_nullable: fact.is_nullable,
            about: fact.about,
        };
        F::facts().into_iter().map(column).collect()
    }

    fn builder() -> Self::Builder {
        F::facts().into_iter().map(|fact| Collected { of: fact.of, values: Values::new(fact.kind) }).collect()
    }

    fn append(builder: &mut Self::Builder, subject: &F::Subject) {
        for fact in builder {
            fact.values.append((fact.of)(subject));
        }
    }

    fn finish(builder: &mut Self::Builder) -> Vec<ArrayRef> {
        builder.iter_mut().map(|fact| fact.values.finish()).collect()
    }
}
