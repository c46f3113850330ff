//! Measures of slots: one line each makes a field of a slot, a field of the sums over the slots around one, and the
//! rule by which that takes in a slot.

/// Makes `Slot` and `Around` of three lists:
///
/// - `merged`: `name: type in a slot => type in the sums, rule;`
/// - `own`: fields of a slot alone;
/// - `derived`: fields of the sums alone, which need several of a slot's fields or the context (`infer/around.rs`).
///
/// The rules, of which a new one is an arm of [`merge`]:
///
/// | rule | of the slots around |
/// |---|---|
/// | `sum` | the sum |
/// | `saturating` | the sum, or the most that its type holds |
/// | `micros` | the sum in nanoseconds of microseconds |
/// | `largest` | the largest |
/// | `least(seen, count)` | the least of slots whose `seen` is not 0; without any, when `count` is 0, it is 0 too |
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

        /// What the slots around one show together: each measure merged by its rule.
        #[derive(Clone, Copy, Debug, Default)]
        pub(crate) struct Around {
            $($(#[$doc])* pub(crate) $name: $all,)*
            $($(#[$derived_doc])* pub(crate) $derived: $derived_type,)*
        }

        impl Around {
            /// Takes in the measures of one slot more; what is derived is left to the caller.
            #[inline]
            pub(crate) fn merge(&mut self, slot: &Slot) {
                // The least ones ask whether there was one before: counts come after them.
                $($crate::facts::measures::merge!(first, self, slot, $name: $all, $rule $($($argument)+)?);)*
                $($crate::facts::measures::merge!(then, self, slot, $name: $all, $rule $($($argument)+)?);)*
            }
        }
    };
}

/// One measure's rule, in the two turns of `Around::merge`.
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
