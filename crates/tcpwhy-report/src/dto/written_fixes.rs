use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use serde_json::value::RawValue;
use tcpwhy_model as model;

/// Fixes that were written already, for documents on one line: to write each of them anew takes a tenth of
/// what JSON takes.
#[derive(Debug, Default)]
pub struct WrittenFixes {
    pub(super) by_fix: RwLock<HashMap<model::Fix, Arc<RawValue>>>,
}

impl WrittenFixes {
    /// Lines may hold numbers of their connection: what is kept stays small.
    pub(super) const MOST: usize = 1024;

    /// The text of `fix`: as it was written before, or as `write` gives it.
    pub(super) fn written(
        &self,
        fix: &model::Fix,
        write: impl FnOnce() -> serde_json::Result<Box<RawValue>>,
    ) -> Option<Arc<RawValue>> {
        if let Some(known) = self.by_fix.read().unwrap_or_else(PoisonError::into_inner).get(fix) {
            return Some(Arc::clone(known));
        }
        let text: Arc<RawValue> = write().ok()?.into();
        let mut by_fix = self.by_fix.write().unwrap_or_else(PoisonError::into_inner);
        if by_fix.len() < Self::MOST {
            by_fix.insert(fix.clone(), Arc::clone(&text));
        }
        Some(text)
    }
}
