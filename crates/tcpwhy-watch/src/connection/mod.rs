//! Samples of one socket become time by limit.

mod accounted;
mod example;
mod live;
mod observe;
mod passed;
mod rates;
mod reader;
mod rest;
mod sampled;
#[cfg(test)]
mod terms;
#[cfg(test)]
mod tests;

pub use live::LiveConnection;
pub use rates::Point;
#[cfg(test)]
pub(crate) use rates::Under;
