use std::borrow::Cow;

/// A stable name in JSON documents. Most are static strings, so they need no memory of their own.
pub type Id = Cow<'static, str>;
