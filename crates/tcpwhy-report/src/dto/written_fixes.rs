use std::sync::{Arc, PoisonError, RwLock};

use hashbrown::HashMap;
use serde_json::value::RawValue;
use tcpwhy_model as model;

/// The JSON of a fix, and its readiness.
type Written = (model::Readiness, Arc<RawValue>);

/// Fixes that were already written, for documents on one line. Writing each of them again takes a tenth of
/// the time of all JSON.
#[derive(Debug, Default)]
pub struct WrittenFixes {
    pub(super) by_fix: RwLock<HashMap<model::Fix, Vec<Written>>>,
}

impl WrittenFixes {
    /// Most fixes that are kept: their lines may contain numbers of a connection, so their number has no
    /// bound.
    pub(super) const MOST: usize = 1024;

    /// The JSON of `fix`: the earlier one, or the result of `write`. `None` if its lines depend on the
    /// connection, because those of the next connection differ.
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
            // Another thread may have written the same fix.
            if texts.iter().all(|(of, _)| *of != readiness) {
                texts.push((readiness, Arc::clone(&text)));
            }
        }
        Some(text)
    }
}
