//! Facts that are published as plain values. Each is declared once; JSON, its schema, the columns of tables
//! and the attributes in Python follow from the declaration.

use super::Id;

/// The type of a plain value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactKind {
    /// A shift: less than 128.
    Tiny,
    /// A port.
    Port,
    /// A count, bytes or nanoseconds.
    Integer,
    /// A real number.
    Real,
    /// Yes or no.
    Truth,
    /// A text, or an id.
    Text,
}

/// A plain value.
#[derive(Clone, Debug, PartialEq)]
pub enum FactValue {
    /// The value is unknown, or does not apply.
    Null,
    /// A shift: less than 128.
    Tiny(i8),
    /// A port.
    Port(i32),
    /// A count, bytes or nanoseconds.
    Integer(i64),
    /// A real number.
    Real(f64),
    /// Yes or no.
    Truth(bool),
    /// A text, or an id.
    Text(Id),
}

/// The declaration of a fact about an `S`.
#[derive(Clone, Debug)]
pub struct Fact<S> {
    /// Its name in every output, with its unit.
    pub name: &'static str,
    /// Description, on one line.
    pub about: String,
    /// Its kind.
    pub kind: FactKind,
    /// Whether it may be unknown.
    pub is_nullable: bool,
    /// Its value.
    pub of: fn(&S) -> FactValue,
}

/// A group of facts about one subject.
pub trait Facts {
    /// Type that the facts are about.
    type Subject;

    /// The declarations, in order.
    fn facts() -> Vec<Fact<Self::Subject>>;
}

/// Combines the facts at two places of a document.
impl<A: Facts, B: Facts<Subject = A::Subject>> Facts for (A, B) {
    type Subject = A::Subject;

    fn facts() -> Vec<Fact<A::Subject>> {
        let mut facts = A::facts();
        facts.extend(B::facts());
        facts
    }
}

/// A type that facts can have.
pub(crate) trait FactType {
    const KIND: FactKind;
    const IS_NULLABLE: bool = false;

    fn value(&self) -> FactValue;
}

impl FactType for u8 {
    const KIND: FactKind = FactKind::Tiny;

    fn value(&self) -> FactValue {
        i8::try_from(*self).map_or(FactValue::Null, FactValue::Tiny)
    }
}

impl FactType for u16 {
    const KIND: FactKind = FactKind::Port;

    fn value(&self) -> FactValue {
        FactValue::Port((*self).into())
    }
}

impl FactType for u64 {
    const KIND: FactKind = FactKind::Integer;

    fn value(&self) -> FactValue {
        // Tables have signed integers; no count is large enough to reach the sign bit.
        FactValue::Integer(i64::try_from(*self).unwrap_or(i64::MAX))
    }
}

impl FactType for i64 {
    const KIND: FactKind = FactKind::Integer;

    fn value(&self) -> FactValue {
        FactValue::Integer(*self)
    }
}

impl FactType for f64 {
    const KIND: FactKind = FactKind::Real;

    fn value(&self) -> FactValue {
        FactValue::Real(*self)
    }
}

impl FactType for bool {
    const KIND: FactKind = FactKind::Truth;

    fn value(&self) -> FactValue {
        FactValue::Truth(*self)
    }
}

impl FactType for Id {
    const KIND: FactKind = FactKind::Text;

    fn value(&self) -> FactValue {
        FactValue::Text(self.clone())
    }
}

impl<T: FactType> FactType for Option<T> {
    const KIND: FactKind = T::KIND;
    const IS_NULLABLE: bool = true;

    fn value(&self) -> FactValue {
        self.as_ref().map_or(FactValue::Null, T::value)
    }
}

/// Declares facts about a type: their names, types, and how each is computed.
macro_rules! facts {
    (
        $(#[doc = $about:literal])+
        $name:ident of $subject:ty { $( $(#[doc = $doc:literal])+ $fact:ident: $type:ty = $of:expr; )+ }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, serde::Serialize)]
        #[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
        pub struct $name {
            $( $(#[doc = $doc])+ pub(crate) $fact: $type, )+
        }

        impl $crate::dto::facts::Facts for $name {
            type Subject = $subject;

            fn facts() -> Vec<$crate::dto::facts::Fact<$subject>> {
                vec![$( $crate::dto::facts::Fact {
                    name: stringify!($fact),
                    about: [$($doc),+].map(str::trim).join(" "),
                    kind: <$type as $crate::dto::facts::FactType>::KIND,
                    is_nullable: <$type as $crate::dto::facts::FactType>::IS_NULLABLE,
                    of: |subject| {
                        let value: fn(&$subject) -> $type = $of;
                        $crate::dto::facts::FactType::value(&value(subject))
                    },
                } ),+]
            }
        }

        impl $name {
            /// The facts about `subject`.
            pub fn of(subject: &$subject) -> Self {
                $( let $fact: fn(&$subject) -> $type = $of; )+
                Self { $( $fact: $fact(subject), )+ }
            }
        }
    };
}

pub(crate) use facts;
