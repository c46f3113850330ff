//! The data of the interactive page: schema `tcpwhy-view/1`, whose fields are documented in `contract`.

mod answer_words;
mod bins;
mod by_language;
mod column;
mod compared;
mod contract;
mod documents;
mod encode;
mod headline;
mod services;
mod survey;
mod view;

pub use column::Column;
pub use contract::ConnectionChart;
pub use survey::{Entry, Place, Survey};
pub use view::{CHART_PATH, View, answer};
