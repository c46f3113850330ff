//! How clients and answers name files.

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

/// How a file is called in answers and errors.
pub(super) fn shown_name(shared: &Shared, name: &Path) -> String {
    // Part by part, so that a folder of which several files are listed has one name.
    let shown: Vec<_> = name.iter().map(|part| name_of(Path::new(part), shared.anonymizer.as_ref())).collect();
    fenced(&shown.join("/").replace("//", "/"))
}

/// The file that a client names as answers show it, or as it is called. While names are replaced, only the
/// former: else a client that guesses a name would learn whether there is such a file, and how it is shown.
pub(super) fn original_name(shared: &Shared, name: &str) -> Result<PathBuf> {
    let typed = checked(name)?;
    let plain = shared.anonymizer.is_none() && typed.to_str().is_some_and(|name| fenced(name) == format!("⟦{name}⟧"));
    if plain && shared.folders.file(typed).is_ok() {
        return Ok(typed.to_owned());
    }
    let names = shared.folders.names();
    original(shared, name, names.iter().map(PathBuf::as_path)).ok_or_else(|| failure("mcp-no-file").into())
}

/// The same of a saved host: a file, or a folder of files.
pub(super) fn original_host(shared: &Shared, name: &str) -> Result<PathBuf> {
    checked(name)?;
    let names = shared.folders.names();
    let all = names.iter().flat_map(|name| name.ancestors()).filter(|path| !path.as_os_str().is_empty());
    original(shared, name, all).ok_or_else(|| failure("mcp-no-host").into())
}

/// The one of `paths` that answers show as `name`; else what was typed, unless names are replaced.
fn original<'a>(shared: &Shared, name: &str, paths: impl IntoIterator<Item = &'a Path>) -> Option<PathBuf> {
    let typed = unfenced(name.trim());
    let shown = fenced(typed);
    let found = paths.into_iter().find(|path| shown_name(shared, path) == shown).map(Path::to_owned);
    found.or_else(|| shared.anonymizer.is_none().then(|| typed.into()))
}
