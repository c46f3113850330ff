use std::borrow::Cow;

/// A stable name that stands in the documents of JSON: one of a few, so most are no memory of their own.
pub type Id = Cow<'static, str>;
