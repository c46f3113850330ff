//! Folders of Parquet files.

mod directory;
mod known;
mod part;
mod stem;

pub use directory::Directory;
pub use known::{Known, known_captures};
pub use part::{Encoded, Part};
pub use stem::stem_of;
