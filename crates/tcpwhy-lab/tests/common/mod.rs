//! Transfers of scenarios that are written in a test.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use tcpwhy_lab::{LabError, Recording, run};
use tcpwhy_scenario::Scenario;

/// Two at once would disturb each other's emulated links.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// `None` where the machine does not allow it, or is too busy with other things each time.
pub(crate) fn transfer(text: &str, folder: &Path) -> Option<Result<Recording, LabError>> {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let scenario = Scenario::from_toml("test", text).unwrap();
    for _ in 0..4 {
        match run(&scenario, folder) {
            Err(why @ (LabError::Namespace(_) | LabError::Tap(_) | LabError::NoProgram(..) | LabError::Kernel(_))) => {
                tcpwhy_testkit::skip(why);
                return None;
            }
            Ok(recording) if !recording.truth().quality.doubts.is_empty() => {
                eprintln!("again: {:?}", recording.truth().quality.doubts);
            }
            result => return Some(result),
        }
    }
    eprintln!("skipped: the machine is too busy");
    None
}
