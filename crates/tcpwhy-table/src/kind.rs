//! Kinds of columns: Arrow type, and the function that adds a value.

use std::borrow::Cow;

use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Float64Builder, Int8Builder, Int16Builder, Int32Builder, Int64Builder, ListBuilder,
    StringBuilder, TimestampMicrosecondBuilder,
};
use arrow_schema::{DataType, Field, TimeUnit};
use tcpwhy_model::Timestamp;

/// The kind of a column. All types are ones that every reader supports: Spark supports neither unsigned
/// integers nor dictionaries nor nanoseconds.
pub(crate) trait Kind {
    /// A value of a row.
    type Value<'a>;
    /// Builder that collects values.
    type Builder: ArrayBuilder;
    /// Whether values can be null.
    const IS_NULLABLE: bool = false;

    /// The Arrow type.
    fn data_type() -> DataType;
    /// An empty builder.
    fn builder() -> Self::Builder;
    /// Adds a value.
    fn append(builder: &mut Self::Builder, value: Self::Value<'_>);
    /// Adds a null.
    fn append_null(builder: &mut Self::Builder);
}

/// A kind of numbers with a builder from Arrow.
macro_rules! plain {
    ($(#[doc = $doc:literal] $kind:ident: $value:ty = $builder:ident as $type:ident;)+) => {$(
        #[doc = $doc]
        pub(crate) enum $kind {}

        impl Kind for $kind {
            type Value<'a> = $value;
            type Builder = $builder;

            fn data_type() -> DataType {
                DataType::$type
            }

            fn builder() -> $builder {
                $builder::new()
            }

            fn append(builder: &mut $builder, value: $value) {
                builder.append_value(value);
            }

            fn append_null(builder: &mut $builder) {
                builder.append_null();
            }
        }
    )+};
}

plain! {
    /// The index of an endpoint or of a direction, or a window scale.
    Tiny: i8 = Int8Builder as Int8;
    /// The position in a short list.
    Small: i16 = Int16Builder as Int16;
    /// A TCP port.
    Port: i32 = Int32Builder as Int32;
    /// A count, a number of bytes, or nanoseconds.
    Integer: i64 = Int64Builder as Int64;
    /// A floating-point number.
    Real: f64 = Float64Builder as Float64;
}

/// A Boolean.
pub(crate) enum Truth {}

impl Kind for Truth {
    type Value<'a> = bool;
    type Builder = BooleanBuilder;

    fn data_type() -> DataType {
        DataType::Boolean
    }

    fn builder() -> BooleanBuilder {
        BooleanBuilder::new()
    }

    fn append(builder: &mut BooleanBuilder, value: bool) {
        builder.append_value(value);
    }

    fn append_null(builder: &mut BooleanBuilder) {
        builder.append_null();
    }
}

/// Text or an id.
pub(crate) enum Text {}

impl Kind for Text {
    type Value<'a> = Cow<'a, str>;
    type Builder = StringBuilder;

    fn data_type() -> DataType {
        DataType::Utf8
    }

    fn builder() -> StringBuilder {
        StringBuilder::new()
    }

    fn append(builder: &mut StringBuilder, value: Cow<'_, str>) {
        builder.append_value(value);
    }

    fn append_null(builder: &mut StringBuilder) {
        builder.append_null();
    }
}

/// A time, truncated to microseconds because Spark rejects nanoseconds.
pub(crate) enum Moment {}

impl Kind for Moment {
    type Value<'a> = Timestamp;
    type Builder = TimestampMicrosecondBuilder;

    fn data_type() -> DataType {
        DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))
    }

    fn builder() -> TimestampMicrosecondBuilder {
        TimestampMicrosecondBuilder::new().with_data_type(Self::data_type())
    }

    fn append(builder: &mut TimestampMicrosecondBuilder, value: Timestamp) {
        const NANOS: i64 = 1000;
        builder.append_value(value.as_nanos().div_euclid(NANOS));
    }

    fn append_null(builder: &mut TimestampMicrosecondBuilder) {
        builder.append_null();
    }
}

/// A list of ids or lines.
pub(crate) enum Texts {}

impl Kind for Texts {
    type Value<'a> = Vec<Cow<'a, str>>;
    type Builder = ListBuilder<StringBuilder>;

    fn data_type() -> DataType {
        DataType::List(Field::new_list_field(DataType::Utf8, true).into())
    }

    fn builder() -> ListBuilder<StringBuilder> {
        ListBuilder::new(StringBuilder::new())
    }

    fn append(builder: &mut ListBuilder<StringBuilder>, value: Vec<Cow<'_, str>>) {
        for text in value {
            builder.values().append_value(text);
        }
        builder.append(true);
    }

    fn append_null(builder: &mut ListBuilder<StringBuilder>) {
        builder.append(false);
    }
}

/// The same kind, with null allowed.
pub(crate) struct Maybe<K>(std::marker::PhantomData<K>);

impl<K: Kind> Kind for Maybe<K> {
    type Value<'a> = Option<K::Value<'a>>;
    type Builder = K::Builder;

    const IS_NULLABLE: bool = true;

    fn data_type() -> DataType {
        K::data_type()
    }

    fn builder() -> K::Builder {
        K::builder()
    }

    fn append(builder: &mut K::Builder, value: Option<K::Value<'_>>) {
        match value {
            Some(value) => K::append(builder, value),
            None => K::append_null(builder),
        }
    }

    fn append_null(builder: &mut K::Builder) {
        K::append_null(builder);
    }
}
