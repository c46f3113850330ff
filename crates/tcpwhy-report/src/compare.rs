//! Two captures or connections next to each other.

pub use tcpwhy_analysis::comparison::{
    Brief, Change, Changes, CompareMode, ComparedPair, Comparison, ProblemChange, ServicePair, Totals, surer,
};
