//! The data of the interactive page: schema `tcpwhy-view/1`, explained field by field in `viewer/src/format.ts`.

mod column;
mod contract;
mod documents;
mod encode;
mod survey;
mod view;

pub use column::Column;
pub use contract::ConnectionChart;
pub use survey::{Entry, Survey};
pub use view::{View, answer};
