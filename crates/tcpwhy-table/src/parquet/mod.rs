//! Folders of Parquet files.

mod directory;
mod known;
mod part;
mod place;
mod stem;

pub use directory::Directory;
pub use known::{Known, known_captures};
pub use part::{Encoded, Part};
pub use place::refusal;
pub use stem::stem_of;
