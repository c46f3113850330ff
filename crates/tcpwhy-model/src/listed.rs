//! Enums whose list and ids contain each variant by construction, so that a test over the list misses no new
//! variant.

/// Defines an enum with `ALL` and a stable `id` for each variant.
macro_rules! listed {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$doc:meta])* $variant:ident = $id:literal,)+ }) => {
        $(#[$meta])*
        pub enum $name {
            $($(#[$doc])* $variant,)+
        }

        impl $name {
            /// All variants.
            pub const ALL: [Self; [$($id),+].len()] = [$(Self::$variant),+];

            /// Stable id, as in JSON.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$variant => $id,)+
                }
            }
        }
    };
}

pub(crate) use listed;
