//! Questions with an ordered list of choices: one trait for all lists.

use super::ground::Ground;

/// A question about the first lines of a report.
pub(super) trait Question: 'static {
    /// Input of the choices.
    type Facts<'a>;
    /// Result of a choice.
    type Answer<'a>;
}

/// One possible answer to a question, with its condition.
pub(super) trait Choice<Q: Question>: Sync {
    /// Ground that is stored with the answer; unique in all lists.
    fn ground(&self) -> Ground;

    /// Returns the answer, if this choice applies.
    fn choose<'a>(&self, facts: &Q::Facts<'a>) -> Option<Q::Answer<'a>>;
}

/// Choices in the order in which they are tried.
pub(super) type List<Q> = [&'static dyn Choice<Q>];

/// An answer, and the choice that gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided<T> {
    /// The answer.
    pub answer: T,
    /// Ground of the choice.
    pub ground: Ground,
}

/// Returns the answer of the first choice of `list` that applies.
pub(super) fn first<'a, Q: Question>(list: &List<Q>, facts: &Q::Facts<'a>) -> Option<Decided<Q::Answer<'a>>> {
    let decide = |choice: &&'static dyn Choice<Q>| {
        choice.choose(facts).map(|answer| Decided { answer, ground: choice.ground() })
    };
    list.iter().find_map(decide)
}

/// Defines a choice without state: its name, its ground, its input and its answer.
macro_rules! choice {
    ($(#[$doc:meta])+ $name:ident of $question:ty, $ground:ident: |$facts:pat_param| $choose:expr) => {
        $(#[$doc])+
        pub(super) struct $name;

        impl $crate::answer::choice::Choice<$question> for $name {
            fn ground(&self) -> $crate::answer::Ground {
                $crate::answer::Ground::$ground
            }

            fn choose<'a>(
                &self,
                $facts: &<$question as $crate::answer::choice::Question>::Facts<'a>,
            ) -> Option<<$question as $crate::answer::choice::Question>::Answer<'a>> {
                $choose
            }
        }
    };
}

pub(super) use choice;
