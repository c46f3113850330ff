//! What follows from the runs of an explanation and its rivals: proved, refuted, or undecided.

use serde::Serialize;

/// The end of a proof, with its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "id", content = "reason", rename_all = "kebab-case")]
pub enum Conclusion {
    /// Only this explanation shows what the capture shows, and without it the transfer is as fast as
    /// predicted.
    Proved(Proved),
    /// It does not, and something else does.
    Refuted(Refuted),
    /// The runs do not decide.
    Undecided(Open),
}

/// What the fix was compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Proved {
    /// The prediction, which came true.
    AsPredicted,
    /// The prediction, and the fix brought more.
    MoreThanPredicted,
    /// The transfer itself: nothing was predicted, and the fix shortens it.
    Shorter,
}

/// Why an explanation is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refuted {
    /// Another one shows what the capture shows, and its fix works.
    RivalExplains,
    /// What the packets show is enough: the transfer looks the same without the supposed cause.
    NotNeeded,
    /// The capture lacks what such a cause leaves behind.
    NoTrace,
}

/// Why nothing is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Open {
    /// Another explanation shows the same.
    BothExplain,
    /// No rebuilt transfer looks like the capture.
    NoneResembles,
    /// It looks like the capture, and its fix does not shorten it.
    FixWithoutEffect,
    /// It looks like the capture, and its fix brings less than predicted.
    LessThanPredicted,
    /// It looks like the capture, and the lab can apply none of its fixes.
    NoFix,
}

impl Conclusion {
    /// Message id after `prove-`.
    pub(super) const fn id(self) -> &'static str {
        match self {
            Self::Proved(Proved::AsPredicted) => "proved-as-predicted",
            Self::Proved(Proved::MoreThanPredicted) => "proved-more-than-predicted",
            Self::Proved(Proved::Shorter) => "proved-shorter",
            Self::Refuted(Refuted::RivalExplains) => "refuted-rival-explains",
            Self::Refuted(Refuted::NotNeeded) => "refuted-not-needed",
            Self::Refuted(Refuted::NoTrace) => "refuted-no-trace",
            Self::Undecided(Open::BothExplain) => "undecided-both-explain",
            Self::Undecided(Open::NoneResembles) => "undecided-none-resembles",
            Self::Undecided(Open::FixWithoutEffect) => "undecided-fix-without-effect",
            Self::Undecided(Open::LessThanPredicted) => "undecided-less-than-predicted",
            Self::Undecided(Open::NoFix) => "undecided-no-fix",
        }
    }
}

/// What became of the claim's fix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// The lab can apply none.
    Untried,
    /// The transfer took as long.
    None,
    /// It was shorter, and less so than predicted.
    Less,
    /// It was as short as that, shorter, or short where nothing was predicted.
    Full(Proved),
}

/// What the runs of the claim and of the others came to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcomes {
    /// The capture shows what the claim leaves behind.
    pub(super) has_trace: bool,
    /// The claim's transfer looks like the capture.
    pub(super) resembles: bool,
    pub(super) effect: Effect,
    /// Some rival's does, and its fix works.
    pub(super) rival_explains: bool,
    /// The claim's transfer adds something to what the packets show, and the transfer without it looks like
    /// the capture as well.
    pub(super) is_superfluous: bool,
}

/// The one table of conclusions.
pub(super) const fn conclude(outcomes: Outcomes) -> Conclusion {
    let Outcomes { has_trace, resembles, effect, rival_explains, is_superfluous } = outcomes;
    if !has_trace {
        return Conclusion::Refuted(Refuted::NoTrace);
    }
    let works = matches!(effect, Effect::Less | Effect::Full(_));
    match (resembles && works, rival_explains, is_superfluous) {
        (false, true, _) => Conclusion::Refuted(Refuted::RivalExplains),
        (false, false, true) => Conclusion::Refuted(Refuted::NotNeeded),
        (true, true, _) | (true, _, true) => Conclusion::Undecided(Open::BothExplain),
        (true, false, false) => match effect {
            Effect::Full(how) => Conclusion::Proved(how),
            _ => Conclusion::Undecided(Open::LessThanPredicted),
        },
        (false, false, false) if !resembles => Conclusion::Undecided(Open::NoneResembles),
        (false, false, false) => match effect {
            Effect::Untried => Conclusion::Undecided(Open::NoFix),
            _ => Conclusion::Undecided(Open::FixWithoutEffect),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: Effect = Effect::Full(Proved::AsPredicted);
    const RIGHT: Outcomes =
        Outcomes { has_trace: true, resembles: true, effect: FULL, rival_explains: false, is_superfluous: false };

    #[test]
    fn only_what_alone_explains_and_whose_fix_works_is_proved() {
        use Conclusion::{Proved as P, Refuted as R, Undecided};
        for (what, outcomes, conclusion) in [
            ("all is as it should be", RIGHT, P(Proved::AsPredicted)),
            ("a rival as well", Outcomes { rival_explains: true, ..RIGHT }, Undecided(Open::BothExplain)),
            (
                "the rival alone",
                Outcomes { resembles: false, rival_explains: true, ..RIGHT },
                R(Refuted::RivalExplains),
            ),
            (
                "alike, but the rival's fix works and its own does not",
                Outcomes { effect: Effect::None, rival_explains: true, ..RIGHT },
                R(Refuted::RivalExplains),
            ),
            (
                "without it the same",
                Outcomes { effect: Effect::None, is_superfluous: true, ..RIGHT },
                R(Refuted::NotNeeded),
            ),
            ("nothing alike", Outcomes { resembles: false, ..RIGHT }, Undecided(Open::NoneResembles)),
            ("no fix", Outcomes { effect: Effect::Untried, ..RIGHT }, Undecided(Open::NoFix)),
            ("a fix in vain", Outcomes { effect: Effect::None, ..RIGHT }, Undecided(Open::FixWithoutEffect)),
            ("less", Outcomes { effect: Effect::Less, ..RIGHT }, Undecided(Open::LessThanPredicted)),
            ("no trace", Outcomes { has_trace: false, ..RIGHT }, R(Refuted::NoTrace)),
        ] {
            assert_eq!(conclude(outcomes), conclusion, "{what}");
        }
    }
}
