//! By descriptors: what was checked is what is written to.

mod aside;
mod check;
mod entry;
mod file;
mod folder;
mod private;
mod resolve;

pub use file::Target;
pub use folder::Folder;
pub use private::PrivateFolder;
