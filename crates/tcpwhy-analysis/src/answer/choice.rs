//! Questions with an ordered list of choices: one trait for all lists.

use super::ground::Ground;

/// A question about what is said first.
pub(super) trait Question: 'static {
    /// What its choices look at.
    type Facts<'a>;
    /// What one of them decides.
    type Answer<'a>;
}

/// One way to answer a question.
pub(super) trait Choice<Q: Question>: Sync {
    /// Kept with what it decides; unique in all lists.
    fn ground(&self) -> Ground;

    /// The answer, if this holds.
    fn choose<'a>(&self, facts: &Q::Facts<'a>) -> Option<Q::Answer<'a>>;
}

/// Choices in the order in which they are asked.
pub(super) type List<Q> = [&'static dyn Choice<Q>];

/// An answer, and the choice that gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided<T> {
    /// The answer.
    pub answer: T,
    /// The choice.
    pub ground: Ground,
}

/// What the first of `list` that holds decides.
pub(super) fn first<'a, Q: Question>(list: &List<Q>, facts: &Q::Facts<'a>) -> Option<Decided<Q::Answer<'a>>> {
    let decide = |choice: &&'static dyn Choice<Q>| {
        choice.choose(facts).map(|answer| Decided { answer, ground: choice.ground() })
    };
    list.iter().find_map(decide)
}

/// A choice without state: its name, its ground, and what it chooses from which facts.
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
