//! Simulation of predictions, on as many threads as the plan allows.

use std::io;

use tcpwhy_analysis::Connection;
use tcpwhy_fit::{Budget, Candidate, Candidates, settle};

use crate::plan::Plan;

type Numbered = (Connection, Option<u64>);

/// Simulates the predictions of `candidates` and returns the connections in the order of their first packets.
pub(crate) fn foresee(candidates: Candidates<Option<u64>>, plan: &Plan<'_>) -> io::Result<Vec<Numbered>> {
    let simulated = simulate(candidates.into_candidates(), plan);
    plan.check()?;
    let mut connections = settle(simulated);
    connections.sort_by_key(|(connection, _)| connection.first_packet);
    Ok(connections)
}

#[cfg(not(all(feature = "threads", not(target_family = "wasm"))))]
fn simulate(mut candidates: Vec<Candidate<Option<u64>>>, plan: &Plan<'_>) -> Vec<Candidate<Option<u64>>> {
    alone(&mut candidates, plan);
    candidates
}

/// Simulates on the caller's thread.
fn alone(candidates: &mut [Candidate<Option<u64>>], plan: &Plan<'_>) {
    let mut budget = Budget::default();
    for candidate in candidates {
        if budget.is_spent() || plan.is_stopped() {
            break;
        }
        budget.spend(candidate.simulate());
    }
}

/// Each thread takes the next candidate, because simulation times differ. Some candidates may be simulated
/// although the budget then excludes them.
#[cfg(all(feature = "threads", not(target_family = "wasm")))]
fn simulate(mut candidates: Vec<Candidate<Option<u64>>>, plan: &Plan<'_>) -> Vec<Candidate<Option<u64>>> {
    use std::sync::{Mutex, PoisonError};
    use std::thread;

    let threads = plan.threads.get().min(candidates.len());
    if threads <= 1 {
        alone(&mut candidates, plan);
        return candidates;
    }
    let budget = Mutex::new(Budget::default());
    let is_over = || plan.is_stopped() || budget.lock().unwrap_or_else(PoisonError::into_inner).is_spent();
    let (waiting, done) = (Mutex::new(candidates.into_iter()), Mutex::new(Vec::new()));
    let work = || {
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
        while let Some(mut candidate) = next() {
            if !is_over() {
                let events = candidate.simulate();
                budget.lock().unwrap_or_else(PoisonError::into_inner).spend(events);
            }
            done.lock().unwrap_or_else(PoisonError::into_inner).push(candidate);
        }
    };
    thread::scope(|scope| {
        // If a thread cannot be started, the others do its work.
        for _ in 1..threads {
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}
