//! Names of files in calls and answers.

use std::path::{Path, PathBuf};

use tcpwhy_report::assistant::{fenced, unfenced};

use super::super::folders::checked;
use super::super::shared::Shared;
use crate::anonymize::name_of;
use crate::inputs::Inputs;
use crate::message::failure;
use crate::wrong::Result;

/// Opens the captures that a client calls `names`.
pub(super) fn inputs(shared: &Shared, names: &[&str]) -> Result<Inputs> {
    let open = |name: &&str| {
        let allowed = shared.folders.file(&original_name(shared, name)?)?;
        let shown = shown_name(shared, &allowed.name);
        Ok((allowed.file, shown))
    };
    Ok(Inputs::held(names.iter().map(open).collect::<Result<_>>()?))
}

/// The name of a file in answers and errors.
pub(super) fn shown_name(shared: &Shared, name: &Path) -> String {
    // Part by part, so that a folder has the same replaced name for all of its files.
    let shown: Vec<_> = name.iter().map(|part| name_of(Path::new(part), shared.anonymizer.as_ref())).collect();
    fenced(&shown.join("/").replace("//", "/"))
}

/// The file with this shown or real name. With anonymization, only the shown name works. Otherwise, a client
/// that guesses a name would learn whether the file exists, and its replaced name.
pub(super) fn original_name(shared: &Shared, name: &str) -> Result<PathBuf> {
    let typed = checked(name)?;
    let plain = shared.anonymizer.is_none() && typed.to_str().is_some_and(|name| fenced(name) == format!("⟦{name}⟧"));
    if plain && shared.folders.file(typed).is_ok() {
        return Ok(typed.to_owned());
    }
    let names = shared.folders.names();
    original(shared, name, names.iter().map(PathBuf::as_path)).ok_or_else(|| failure("mcp-no-file").into())
}

/// The same for a saved host: a file, or a folder of files.
pub(super) fn original_host(shared: &Shared, name: &str) -> Result<PathBuf> {
    checked(name)?;
    let names = shared.folders.names();
    let all = names.iter().flat_map(|name| name.ancestors()).filter(|path| !path.as_os_str().is_empty());
    original(shared, name, all).ok_or_else(|| failure("mcp-no-host").into())
}

/// The one of `paths` that answers show as `name`; otherwise `name` itself, unless names are replaced.
fn original<'a>(shared: &Shared, name: &str, paths: impl IntoIterator<Item = &'a Path>) -> Option<PathBuf> {
    let typed = unfenced(name.trim());
    let shown = fenced(typed);
    let found = paths.into_iter().find(|path| shown_name(shared, path) == shown).map(Path::to_owned);
    found.or_else(|| shared.anonymizer.is_none().then(|| typed.into()))
}
