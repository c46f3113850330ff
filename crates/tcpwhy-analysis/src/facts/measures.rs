//! Measures of slots. One line per measure creates a field of a slot and a field of the sums, with the rule
//! that merges them.

/// Defines `Slot` and `Around` from three lists:
///
/// - `merged`: `name: type in a slot => type in the sums, rule;`
/// - `own`: fields of a slot alone;
/// - `derived`: fields of the sums alone, which need several fields of a slot or the context
///   (`infer/around.rs`).
///
/// The rules; each is an arm of [`merge`]:
///
/// | rule | value over the neighbouring slots |
/// |---|---|
/// | `sum` | the sum |
/// | `saturating` | the sum, saturating at the largest value of its type |
/// | `micros` | the sum in nanoseconds, of fields in microseconds |
/// | `largest` | the largest |
/// | `least(seen, count)` | the least of the slots whose `seen` is not 0; 0 if there is none (`count` is 0) |
macro_rules! measures {
    (
        merged { $($(#[$doc:meta])* $name:ident: $each:ty => $all:ty, $rule:ident $(($($argument:ident),+))?;)* }
        own { $($(#[$own_doc:meta])* $vis:vis $own:ident: $own_type:ty;)* }
        derived { $($(#[$derived_doc:meta])* $derived:ident: $derived_type:ty;)* }
    ) => {
        /// About one round trip.
        #[derive(Clone, Debug, Default)]
        pub(crate) struct Slot {
            $($(#[$doc])* pub(crate) $name: $each,)*
            $($(#[$own_doc])* $vis $own: $own_type,)*
        }

        /// The measures of several neighbouring slots, each merged by its rule.
        #[derive(Clone, Copy, Debug, Default)]
        pub(crate) struct Around {
            $($(#[$doc])* pub(crate) $name: $all,)*
            $($(#[$derived_doc])* pub(crate) $derived: $derived_type,)*
        }

        impl Around {
            /// Merges the measures of one more slot. The caller computes the derived fields.
            #[inline]
            pub(crate) fn merge(&mut self, slot: &Slot) {
                // `least` rules test whether a value existed before, so counts are merged after them.
                $($crate::facts::measures::merge!(first, self, slot, $name: $all, $rule $($($argument)+)?);)*
                $($crate::facts::measures::merge!(then, self, slot, $name: $all, $rule $($($argument)+)?);)*
            }
        }
    };
}

/// Merges one measure by its rule, in one of the two passes of `Around::merge`.
macro_rules! merge {
    (first, $sums:ident, $slot:ident, $name:ident: $all:ty, least $seen:ident $count:ident) => {
        if $slot.$seen > 0 {
            let value = <$all>::from($slot.$name);
            $sums.$name = if $sums.$count == 0 { value } else { $sums.$name.min(value) };
        }
    };
    (first, $($others:tt)*) => {};
    (then, $sums:ident, $slot:ident, $name:ident: $all:ty, sum) => {
        $sums.$name += <$all>::from($slot.$name);
    };
    (then, $sums:ident, $slot:ident, $name:ident: $all:ty, saturating) => {
        $sums.$name = $sums.$name.saturating_add(<$all>::from($slot.$name));
    };
    (then, $sums:ident, $slot:ident, $name:ident: $all:ty, micros) => {
        $sums.$name += <$all>::from($slot.$name) * MICROSECOND;
    };
    (then, $sums:ident, $slot:ident, $name:ident: $all:ty, largest) => {
        $sums.$name = $sums.$name.max(<$all>::from($slot.$name));
    };
    (then, $sums:ident, $slot:ident, $name:ident: $all:ty, least $seen:ident $count:ident) => {};
}

pub(crate) use {measures, merge};
