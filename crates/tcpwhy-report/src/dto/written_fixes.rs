use std::sync::{Arc, PoisonError, RwLock};

use hashbrown::HashMap;
use serde_json::value::RawValue;
use tcpwhy_model as model;

/// The text of a fix, and the readiness that it has.
type Written = (model::Readiness, Arc<RawValue>);

/// Fixes that were written already, for documents on one line: to write each of them anew takes a tenth of
/// what JSON takes.
#[derive(Debug, Default)]
pub struct WrittenFixes {
    pub(super) by_fix: RwLock<HashMap<model::Fix, Vec<Written>>>,
}

impl WrittenFixes {
    /// Lines may hold numbers of their connection: what is kept stays small.
    pub(super) const MOST: usize = 1024;

    /// The text of `fix`: as it was written before, or as `write` gives it. Nothing where its lines differ by
    /// connection: those of the next connection are others.
    pub(super) fn written(
        &self,
        fix: &model::Fix,
        readiness: model::Readiness,
        write: impl FnOnce() -> serde_json::Result<Box<RawValue>>,
    ) -> Option<Arc<RawValue>> {
        if fix.has_values() {
            return None;
        }
        let known = self.by_fix.read().unwrap_or_else(PoisonError::into_inner);
        let same = known.get(fix).into_iter().flatten().find(|(of, _)| *of == readiness);
        if let Some((_, text)) = same {
            return Some(Arc::clone(text));
        }
        drop(known);
        let text: Arc<RawValue> = write().ok()?.into();
        let mut by_fix = self.by_fix.write().unwrap_or_else(PoisonError::into_inner);
        if by_fix.len() < Self::MOST {
            let texts = by_fix.entry(fix.clone()).or_default();
            // Another thread may have written the same.
            if texts.iter().all(|(of, _)| *of != readiness) {
                texts.push((readiness, Arc::clone(&text)));
            }
        }
        Some(text)
    }
}
