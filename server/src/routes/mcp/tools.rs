//! The server of the protocol: lists the tools and calls them.

use super::{
    answer::{Refusal, bounded},
    arguments::Arguments,
    catalogue::{INSTRUCTIONS, Named, tools},
    explain, file_lines, gate, uncovered,
};
use crate::routes::readable::Readable;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
        ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
    },
    service::RequestContext,
};

/// The tools, for one request.
#[derive(Clone)]
pub(super) struct Tools(pub(super) Readable);

impl Tools {
    async fn text(&self, tool: Named, arguments: &Arguments) -> Result<String, Refusal> {
        match tool {
            Named::Uncovered => uncovered::call(&self.0, arguments).await,
            Named::Explain => explain::call(&self.0, arguments).await,
            Named::FileLines => file_lines::call(&self.0, arguments).await,
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
