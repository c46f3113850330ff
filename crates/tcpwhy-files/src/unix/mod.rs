//! By descriptors: what was checked is what is written to.

mod aside;
mod entry;
mod file;
mod folder;
mod private;
mod resolve;

pub use file::replace;
pub use folder::Folder;
pub use private::PrivateFolder;
