//! Which limit to act on first.

use tcpwhy_model::{Cause, Detail, Limit, LimitTimeline};

use crate::outcome::Verdict;
use crate::timeline::account::Moved;

/// Causes that are acted on together: all forms of one limit, and what a loss leads to counts as loss.
fn family(cause: Cause) -> Option<Family> {
    Some(match (cause.limit, cause.detail) {
        (Limit::Unobserved | Limit::TailRtt, _) | (Limit::Handshake, None) => return None,
        (Limit::Handshake, _) => Family::Handshake,
        (Limit::LossRecovery, _) | (Limit::CongestionWindow, Some(Detail::PostLoss)) | (_, Some(Detail::Policer)) => {
            Family::Loss
        }
        (Limit::ReceiveWindow, _) => Family::ReceiveWindow,
        (Limit::AckDelay, _) => Family::AckDelay,
        // After all was sent, writing faster changes nothing.
        (Limit::Application, Some(Detail::CloseWait)) => Family::CloseWait,
        (Limit::Application, _) => Family::Application,
        (Limit::Path, _) => Family::Path,
        (Limit::SendBuffer, _) => Family::SendBuffer,
        (Limit::SlowStart, _) => Family::SlowStart,
        (Limit::CongestionWindow, _) => Family::CongestionWindow,
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Family {
    Handshake,
    Loss,
    ReceiveWindow,
    AckDelay,
    Application,
    CloseWait,
    Path,
    SendBuffer,
    SlowStart,
    CongestionWindow,
}

/// The verdict on a half-connection; `is_policed`: its losses are a policer's.
pub(crate) fn judge(limits: &LimitTimeline, moved: &Moved, is_policed: bool) -> Verdict {
    let none = Verdict { cause: None, confidence: 0.9, seconds: 0.0, alternative: None, reason: None };
    let totals = limits.totals();
    let mut families: Vec<(Family, i64)> = Vec::new();
    for t in &totals {
        if let Some(family) = family(t.cause) {
            match families.iter_mut().find(|f| f.0 == family) {
                Some(f) => f.1 += t.nanos,
                None => families.push((family, t.nanos)),
            }
        }
    }
    // A twentieth of the time is not worth acting on.
    let is_worth_it = |nanos: i64| nanos * 20 >= limits.span().nanos();
    // What came after the transfer comes after whatever held the transfer itself.
    let rank = |f: &&(Family, i64)| (f.0 != Family::CloseWait && is_worth_it(f.1), f.1);
    let Some(&(winner, nanos)) = families.iter().max_by_key(rank) else { return none };
    if !is_worth_it(nanos) {
        return none;
    }
    // A full window over a standing queue: more window would only lengthen the queue.
    let window = limits.nanos_of(Limit::ReceiveWindow);
    if winner == Family::ReceiveWindow && moved.window_queued * 2 > window {
        return Verdict {
            cause: Some(Detail::Queue.into()),
            confidence: 0.8,
            seconds: nanos as f64 / 1e9,
            alternative: None,
            reason: Some("window-held-by-queue"),
        };
    }
    let members = || totals.iter().filter(|t| family(t.cause) == Some(winner));
    let Some(first) = members().next() else { return none };
    let cause = if winner == Family::Loss && is_policed { Detail::Policer.into() } else { first.cause };
    let weighted: f64 = members().map(|t| t.confidence * t.nanos as f64).sum();
    let ambiguous = limits.ambiguous().into_iter().find(|a| a.0 == first.cause.limit && a.3 * 2 > first.nanos);
    Verdict {
        cause: Some(cause),
        confidence: weighted / nanos.max(1) as f64,
        seconds: nanos as f64 / 1e9,
        alternative: ambiguous.map(|a| (a.1, a.2)),
        reason: None,
    }
}
