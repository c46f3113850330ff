//! Writing relative to descriptors, so that the checked file is the written file.

mod aside;
mod check;
#[cfg(target_os = "linux")]
mod elsewhere;
mod entry;
mod file;
mod folder;
mod new_folders;
mod private;
mod resolve;
mod single;
#[cfg(target_os = "linux")]
mod writer;

pub use file::Target;
pub use folder::Folder;
pub use private::PrivateFolder;
