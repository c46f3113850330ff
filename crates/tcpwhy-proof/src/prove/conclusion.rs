//! Conclusion from the runs of an explanation and its rivals: proved, refuted, or undecided.

use serde::Serialize;

use super::replay::Replay;

/// The end of a proof, with its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "id", content = "reason", rename_all = "kebab-case")]
pub enum Conclusion {
    /// Only this explanation reproduces the capture, and without the cause the transfer is as fast as
    /// predicted.
    Proved(Proved),
    /// It does not reproduce the capture, and another explanation does.
    Refuted(Refuted),
    /// The runs do not decide.
    Undecided(Open),
}

/// The value with which the fix was compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Proved {
    /// The prediction, which the fix achieved.
    AsPredicted,
    /// The prediction, which the fix exceeded.
    MoreThanPredicted,
    /// The transfer itself: the fix shortens it, and there was no prediction.
    Shorter,
}

/// The reason why an explanation is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refuted {
    /// Another one reproduces the capture, and its fix works.
    RivalExplains,
    /// The packets are sufficient: the transfer looks the same without the supposed cause.
    NotNeeded,
    /// The capture lacks the traces of such a cause.
    NoTrace,
}

/// The reason why there is no decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Open {
    /// Another explanation reproduces the capture too.
    BothExplain,
    /// Its transfer repeats times of the capture, so it looks the same for any cause.
    Replayed,
    /// It explains the capture, and a rival that repeats times of the capture cannot be excluded.
    RivalReplayed,
    /// It does not resemble the capture. The only rival that does repeats times of the capture.
    OnlyReplayed,
    /// No rebuilt transfer looks like the capture.
    NoneResembles,
    /// It resembles the capture, but its fix does not shorten it.
    FixWithoutEffect,
    /// It resembles the capture, but its fix gains less than predicted.
    LessThanPredicted,
    /// It resembles the capture, but the lab can apply none of its fixes.
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
            Self::Undecided(Open::Replayed) => "undecided-replayed",
            Self::Undecided(Open::RivalReplayed) => "undecided-rival-replayed",
            Self::Undecided(Open::OnlyReplayed) => "undecided-only-replayed",
            Self::Undecided(Open::NoneResembles) => "undecided-none-resembles",
            Self::Undecided(Open::FixWithoutEffect) => "undecided-fix-without-effect",
            Self::Undecided(Open::LessThanPredicted) => "undecided-less-than-predicted",
            Self::Undecided(Open::NoFix) => "undecided-no-fix",
        }
    }
}

/// The effect of the claim's fix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// The lab can apply no fix.
    Untried,
    /// The transfer took the same time.
    None,
    /// It was shorter, but less than predicted.
    Less,
    /// It was as short as predicted, shorter, or shortened without a prediction.
    Full(Proved),
}

impl Effect {
    /// Whether the fix shortened the transfer.
    pub(super) const fn works(self) -> bool {
        matches!(self, Self::Less | Self::Full(_))
    }
}

/// The strength of the evidence for a cause from its transfer, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Evidence {
    /// It does not resemble the capture, or its fix does not work.
    Nothing,
    /// It resembles the capture and repeats times of it. It would do so for any cause, so it can neither be
    /// excluded nor exclude another cause.
    Repeats,
    /// It resembles the capture, although no time in it is copied.
    Explains,
}

impl Evidence {
    /// The evidence from a transfer. `fits`: it resembles the capture and its fix works.
    pub(super) const fn of(fits: bool, replays: Option<Replay>) -> Self {
        match (fits, replays) {
            (false, _) => Self::Nothing,
            (true, Some(_)) => Self::Repeats,
            (true, None) => Self::Explains,
        }
    }
}

/// Results of the runs of the claim and of the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcomes {
    /// Whether the capture has the traces of the claim.
    pub(super) has_trace: bool,
    /// Whether the claim's transfer resembles the capture.
    pub(super) resembles: bool,
    pub(super) effect: Effect,
    pub(super) claim: Evidence,
    /// The evidence for the strongest rival.
    pub(super) rival: Evidence,
    /// The evidence for the transfer without the supposed cause, if the claim adds something to it.
    pub(super) shown: Evidence,
}

/// The one table of conclusions. A proof excludes all rivals and a refutation needs one that explains the
/// capture. A transfer that repeats the capture does neither.
pub(super) const fn conclude(outcomes: Outcomes) -> Conclusion {
    use Evidence::{Explains, Nothing, Repeats};
    let Outcomes { has_trace, resembles, effect, claim, rival, shown } = outcomes;
    if !has_trace {
        return Conclusion::Refuted(Refuted::NoTrace);
    }
    match (claim, rival, shown) {
        (Nothing, Explains, _) => Conclusion::Refuted(Refuted::RivalExplains),
        (Nothing, _, Explains) => Conclusion::Refuted(Refuted::NotNeeded),
        (_, Explains, _) | (_, _, Explains) => Conclusion::Undecided(Open::BothExplain),
        (Repeats, _, _) => Conclusion::Undecided(Open::Replayed),
        (Explains, Repeats, _) | (Explains, _, Repeats) => Conclusion::Undecided(Open::RivalReplayed),
        (Explains, Nothing, Nothing) => match effect {
            Effect::Full(how) => Conclusion::Proved(how),
            _ => Conclusion::Undecided(Open::LessThanPredicted),
        },
        (Nothing, Repeats, _) | (Nothing, _, Repeats) if !resembles => Conclusion::Undecided(Open::OnlyReplayed),
        (Nothing, _, _) if !resembles => Conclusion::Undecided(Open::NoneResembles),
        (Nothing, _, _) => match effect {
            Effect::Untried => Conclusion::Undecided(Open::NoFix),
            _ => Conclusion::Undecided(Open::FixWithoutEffect),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::Conclusion::{Proved as P, Refuted as R, Undecided as U};
    use super::Evidence::{Explains, Nothing, Repeats};
    use super::*;

    const FULL: Effect = Effect::Full(Proved::AsPredicted);
    const RIGHT: Outcomes =
        Outcomes { has_trace: true, resembles: true, effect: FULL, claim: Explains, rival: Nothing, shown: Nothing };
    /// It resembles the capture, but its fix does not work.
    const UNFIXED: Outcomes = Outcomes { effect: Effect::None, claim: Nothing, ..RIGHT };
    const UNLIKE: Outcomes = Outcomes { resembles: false, effect: Effect::Untried, claim: Nothing, ..RIGHT };

    #[test]
    fn only_what_alone_explains_and_whose_fix_works_is_proved() {
        for (what, outcomes, conclusion) in [
            ("all is as it should be", RIGHT, P(Proved::AsPredicted)),
            ("a rival as well", Outcomes { rival: Explains, ..RIGHT }, U(Open::BothExplain)),
            ("without it as well", Outcomes { shown: Explains, ..RIGHT }, U(Open::BothExplain)),
            ("the rival alone", Outcomes { rival: Explains, ..UNLIKE }, R(Refuted::RivalExplains)),
            (
                "alike, but the rival's fix works and its own does not",
                Outcomes { rival: Explains, ..UNFIXED },
                R(Refuted::RivalExplains),
            ),
            ("without it the same", Outcomes { shown: Explains, ..UNFIXED }, R(Refuted::NotNeeded)),
            ("nothing alike", UNLIKE, U(Open::NoneResembles)),
            ("no fix", Outcomes { effect: Effect::Untried, ..UNFIXED }, U(Open::NoFix)),
            ("a fix in vain", UNFIXED, U(Open::FixWithoutEffect)),
            ("less", Outcomes { effect: Effect::Less, ..RIGHT }, U(Open::LessThanPredicted)),
            ("no trace", Outcomes { has_trace: false, ..UNLIKE }, R(Refuted::NoTrace)),
        ] {
            assert_eq!(conclude(outcomes), conclusion, "{what}");
        }
    }

    #[test]
    fn what_repeats_the_capture_decides_nothing() {
        for (what, outcomes, conclusion) in [
            ("the claim does", Outcomes { claim: Repeats, ..RIGHT }, U(Open::Replayed)),
            ("so does a rival", Outcomes { claim: Repeats, rival: Repeats, ..RIGHT }, U(Open::Replayed)),
            ("a rival explains", Outcomes { claim: Repeats, rival: Explains, ..RIGHT }, U(Open::BothExplain)),
            ("a rival is not excluded", Outcomes { rival: Repeats, ..RIGHT }, U(Open::RivalReplayed)),
            ("nor the packets alone", Outcomes { shown: Repeats, ..RIGHT }, U(Open::RivalReplayed)),
            ("a rival refutes nothing", Outcomes { rival: Repeats, ..UNLIKE }, U(Open::OnlyReplayed)),
            ("nor do the packets alone", Outcomes { shown: Repeats, ..UNLIKE }, U(Open::OnlyReplayed)),
            ("its own fix decides", Outcomes { rival: Repeats, ..UNFIXED }, U(Open::FixWithoutEffect)),
            ("another one refutes", Outcomes { rival: Repeats, shown: Explains, ..UNLIKE }, R(Refuted::NotNeeded)),
        ] {
            assert_eq!(conclude(outcomes), conclusion, "{what}");
        }
    }

    /// For all results: a transfer that repeats the capture prevents a proof, and only one that explains it
    /// refutes.
    #[test]
    fn no_end_rests_on_a_repeated_capture() {
        const ALL: [Evidence; 3] = [Nothing, Repeats, Explains];
        const EFFECTS: [Effect; 4] = [Effect::Untried, Effect::None, Effect::Less, FULL];
        for (claim, rival) in ALL.into_iter().flat_map(|claim| ALL.map(|rival| (claim, rival))) {
            for (shown, effect) in ALL.into_iter().flat_map(|shown| EFFECTS.map(|effect| (shown, effect))) {
                for resembles in [false, true] {
                    let outcomes = Outcomes { has_trace: true, resembles, effect, claim, rival, shown };
                    match conclude(outcomes) {
                        P(_) => assert_eq!((claim, rival, shown), (Explains, Nothing, Nothing), "{outcomes:?}"),
                        R(_) => assert!(claim == Nothing && rival.max(shown) == Explains, "{outcomes:?}"),
                        U(_) => {}
                    }
                }
            }
        }
    }
}
