//! Connections added up: what each did in a stretch of time, and both ends of a local transfer once.

mod end;
mod losers;
mod sum;
mod tally;
mod transfers;

pub use end::{End, Life, Service};
pub use losers::{Loser, Losers};
pub use sum::{Repeated, Sum};
pub use tally::{Tally, Window};
pub use transfers::{Transfer, transfers};
