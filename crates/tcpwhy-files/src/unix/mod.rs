//! By descriptors: what was checked is what is written to.

mod aside;
mod check;
mod entry;
mod file;
mod folder;
mod private;
mod resolve;
#[cfg(target_os = "linux")]
mod writer;

pub use file::Target;
pub use folder::Folder;
pub use private::PrivateFolder;
