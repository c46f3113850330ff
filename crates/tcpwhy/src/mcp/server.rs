//! The protocol: tools, resources, progress and cancellation.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ProgressToken, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, Resource, ResourceContents, ServerCapabilities, ServerConfig,
};
use rmcp::service::{Peer, RequestContext, RoleServer, ServiceExt as _};
use rmcp::{ErrorData, ServerHandler};
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, sleep_until};

use super::bounds::{CALLS_AT_ONCE, MOST_WAITING};
use super::calls::{self, Call};
use super::shared::Shared;
use super::tools::Tool;
use super::wire::{Load, Wire};
use super::work::{Progress, Work};
use crate::message::{self, failure};
use crate::reference;
use crate::wrong::{Context as _, Foreign as _, Result, Wrong};

/// Interval between reports of progress.
const REPORT_EVERY: Duration = Duration::from_millis(500);
/// Address prefix of a rule.
const RULE: &str = "tcpwhy://rules/";

/// Answers until the client closes standard input.
pub(super) fn serve(shared: Arc<Shared>) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        // One thread reads standard input and one writes; an abandoned call may still be ending on another.
        .max_blocking_threads(CALLS_AT_ONCE + 3)
        .build()
        .context(failure("mcp-no-runtime"))?;
    let load = Arc::new(Load::default());
    let server = Server {
        shared,
        load: Arc::clone(&load),
        turns: Arc::new(Semaphore::new(CALLS_AT_ONCE)),
        waiting: Arc::new(Semaphore::new(MOST_WAITING)),
    };
    let result = runtime.block_on(async {
        let (wire, writer) = Wire::new(tokio::io::stdin(), tokio::io::stdout(), load);
        let result = match server.serve(wire).await {
            Ok(running) => {
                let _ = running.waiting().await;
                Ok(())
            }
            // A client may disconnect before its first message.
            Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(Wrong::foreign(error)),
        };
        writer.finish().await;
        result
    });
    // In the background, because a thread that waits for standard input cannot be stopped.
    runtime.shutdown_background();
    result
}

struct Server {
    shared: Arc<Shared>,
    /// Amount of unread answers and open requests.
    load: Arc<Load>,
    /// Permits one call at a time.
    turns: Arc<Semaphore>,
    /// Permits for calls that run or wait.
    waiting: Arc<Semaphore>,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let can = ServerCapabilities::builder().enable_tools().enable_resources().build();
        ServerConfig::new(can)
            .with_server_info(Implementation::new("tcpwhy", env!("CARGO_PKG_VERSION")))
            .with_instructions(self.shared.catalogue.word("mcp-instructions"))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let is_offered = |tool: &Tool| *tool != Tool::Live || self.shared.host.is_some();
        let tools = Tool::ALL.into_iter().filter(is_offered).map(|tool| tool.offered(&self.shared.catalogue));
        Ok(ListToolsResult::with_all_items(tools.collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = Tool::of(&request.name) else {
            return Err(ErrorData::invalid_params(message::words(&failure("mcp-no-tool")), None));
        };
        let call = Call::of(tool, request.arguments.unwrap_or_default());
        let answer = match call {
            Ok(call) => self.answer(call, &context).await,
            Err(error) => Err(error),
        };
        let result = match answer {
            Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Err(error) => CallToolResult::error(vec![ContentBlock::text(calls::error_text(&error))]),
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let wording = self.shared.wording();
        let resource = |id: &str| {
            Resource::new(format!("{RULE}{id}"), id).with_title(wording.rule_title(id)).with_mime_type("text/plain")
        };
        Ok(ListResourcesResult::with_all_items(reference::rule_ids().map(resource).collect()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let id = request.uri.strip_prefix(RULE).unwrap_or_default();
        let Some(text) = reference::rule_text(self.shared.wording(), id) else {
            return Err(ErrorData::resource_not_found(message::words(&failure("mcp-no-rule")), None));
        };
        Ok(ReadResourceResult::new(vec![ResourceContents::text(text, request.uri)]).into())
    }
}

impl Server {
    /// Computes the answer to `call` on a separate thread, until it is cancelled or times out.
    async fn answer(&self, call: Call, context: &RequestContext<RoleServer>) -> Result<String> {
        let deadline = Instant::now() + self.shared.timeout;
        let place = Arc::clone(&self.waiting).try_acquire_owned().map_err(|_| failure("mcp-busy"))?;
        let turn = tokio::select! {
            turn = Arc::clone(&self.turns).acquire_owned() => turn.foreign()?,
            () = context.ct.cancelled() => return Err(failure("mcp-cancelled").into()),
            () = sleep_until(deadline) => return Err(self.too_slow()),
        };
        let stop = Arc::new(AtomicBool::new(false));
        let (progress, mut reached) = watch::channel((0, None));
        let work = Work::new(Arc::clone(&stop), progress);
        let shared = Arc::clone(&self.shared);
        let mut answering = tokio::task::spawn_blocking(move || {
            // Held by the thread, so that the next call starts after the real end of this one.
            let _held = (place, turn);
            call.answer(&shared, &work)
        });
        let reporter = context.meta.get_progress_token().map(|token| Reporter { token, peer: context.peer.clone() });
        let mut due = Instant::now() + REPORT_EVERY;
        loop {
            tokio::select! {
                answer = &mut answering => return answer.unwrap_or_else(|_| Err(failure("mcp-call-failed").into())),
                () = context.ct.cancelled() => {
                    stop.store(true, Ordering::Relaxed);
                    return Err(failure("mcp-cancelled").into());
                }
                () = sleep_until(deadline) => {
                    stop.store(true, Ordering::Relaxed);
                    return Err(self.too_slow());
                }
                () = sleep_until(due) => {
                    due += REPORT_EVERY;
                    // No reports to a client that does not read, because they would accumulate.
                    let is_due = self.load.has_room() && reached.has_changed().unwrap_or(false);
                    if let Some(reporter) = &reporter && is_due {
                        let progress = *reached.borrow_and_update();
                        reporter.report(progress).await;
                    }
                }
            }
        }
    }

    fn too_slow(&self) -> Wrong {
        failure("mcp-too-slow").with("seconds", self.shared.timeout.as_secs().to_string()).into()
    }
}

/// Reports progress to a client that requested it.
struct Reporter {
    token: ProgressToken,
    peer: Peer<RoleServer>,
}

impl Reporter {
    async fn report(&self, (read, total): Progress) {
        let notice = ProgressNotificationParam::new(self.token.clone(), read as f64);
        let notice = match total {
            Some(total) => notice.with_total(total as f64),
            None => notice,
        };
        // The client may be gone.
        let _ = self.peer.notify_progress(notice).await;
    }
}
