mod form_terms;
mod forms;
mod groups;
mod limit_terms;
mod limits;
mod table;

use tcpwhy_model::host::{SocketMemory, TcpInfo, TcpState};

use super::*;
