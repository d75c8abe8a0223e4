//! `POST /mcp`: the Model Context Protocol over HTTP, for agents. Every request is complete in itself: no session is kept, so any
//! instance answers any request.

mod answer;
mod arguments;
mod catalogue;
mod explain;
mod file_lines;
mod gate;
mod line_tests;
mod names;
mod neighbours;
mod record;
mod request;
mod uncovered;

use super::readable::Readable;
use super::{
    heavy,
    openapi::refusals::{Mcp, NotForStrangers, Unexpected},
    peer::peer,
};
use crate::http::error::ApiError;
use answer::{Refusal, bounded};
use arguments::Arguments;
use axum::{
    body::{Body, to_bytes},
    extract::Request,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use catalogue::{INSTRUCTIONS, Named, tools};
use domain::text::shown;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
        ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
    },
    service::RequestContext,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
    },
};
use std::sync::Arc;

pub(super) const PATH: &str = "/mcp";

/// The most bytes of a refusal of the protocol's implementation that are passed on.
const MAX_REFUSAL: usize = 4 << 10;

/// Call the tools for agents
///
/// One message of the Model Context Protocol, as JSON-RPC 2.0, with the answer as JSON. There are no sessions. Tools:
/// `uncovered_in_change`, `explain`, `file_lines`, `line_tests` and `gate`; `tools/list` describes them. Each answer has less than 2 kB. A request
/// with an `Origin` is accepted only from the service's own pages.
#[utoipa::path(
    post,
    path = "/mcp",
    operation_id = "mcp",
    tag = "records",
    request_body(
        content = Object,
        description = "A message of at most 64 KiB.",
        example = json!({
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "uncovered_in_change", "arguments": {"record": "acme/payments@main"}}
        })
    ),
    responses(
        (status = 200, description = "The answer, or an error of JSON-RPC.", body = Object),
        (status = 202, description = "The message was a notification, which has no answer."),
        NotForStrangers,
        Mcp,
        Unexpected
    )
)]
pub(super) async fn serve(state: Readable, request: Request) -> Result<Response, ApiError> {
    request::check_origin(&state, &request)?;
    let peer = peer(&request);
    let (mut parts, body) = request.into_parts();
    let body = request::read_body(&parts.headers, body).await?;
    let headers = parts.headers.clone();
    // The answer is always JSON, but the library refuses clients that do not accept both.
    let accepted = HeaderValue::from_static("application/json, text/event-stream");
    parts.headers.insert(header::ACCEPT, accepted);
    let request = Request::from_parts(parts, Body::from(body));
    let budget = state.budget.clone();
    Ok(heavy::counted(&budget, peer, &headers, answer(state, request)).await)
}

async fn answer(state: Readable, request: Request) -> Response {
    let tools = Tools(state);
    // The routes around it check the host, and `serve` the origin and the size.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .disable_allowed_hosts();
    let service = StreamableHttpService::new(
        move || Ok(tools.clone()),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    let response = service.handle(request).await.map(Body::new);
    let is_json = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind == "application/json");
    if response.status().is_success() || is_json {
        return response;
    }
    refused(response).await.into_response()
}

/// A refusal of the protocol's implementation, which is plain text, as a problem document.
async fn refused(response: Response) -> ApiError {
    let is_ours = response.status().is_server_error();
    let text = to_bytes(response.into_body(), MAX_REFUSAL).await;
    let text = text.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    if is_ours {
        return ApiError::unavailable(&std::io::Error::other(text.into_owned()));
    }
    let detail = format!(
        "The request does not follow the Model Context Protocol: {}",
        shown(text.trim())
    );
    ApiError::malformed(detail)
}

/// The tools, for one request.
#[derive(Clone)]
struct Tools(Readable);

impl Tools {
    async fn text(&self, tool: Named, arguments: &Arguments) -> Result<String, Refusal> {
        match tool {
            Named::Uncovered => uncovered::call(&self.0, arguments).await,
            Named::Explain => explain::call(&self.0, arguments).await,
            Named::FileLines => file_lines::call(&self.0, arguments).await,
            Named::LineTests => line_tests::call(&self.0, arguments).await,
            Named::Gate => gate::call(&self.0, arguments).await,
        }
    }
}

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        let name = Implementation::new("coverage-dashboard", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(name)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = Named::of(&request.name) else {
            return Err(ErrorData::invalid_params(
                "There is no such tool; tools/list names all of them.",
                None,
            ));
        };
        let arguments = Arguments(request.arguments.unwrap_or_default());
        let result = match self.text(tool, &arguments).await {
            Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Err(Refusal(sentence)) => {
                CallToolResult::error(vec![ContentBlock::text(bounded(&sentence))])
            }
        };
        Ok(result.into())
    }
}
