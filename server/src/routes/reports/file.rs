//! Answers a path in a report: a file, a folder's index, or a listing of the folder.

use super::{
    address::{Segment, report_path},
    answer::{ASK_AGAIN, FOREVER, redirect, until},
    conditions::Plan,
    file_request::FileRequest,
    folder_page,
    located::{FileKey, Located, Serving, gone},
    representation::{Form, Representation},
};
use crate::{
    http::error::ApiError,
    routes::navigation::{Purpose, VARY},
};
use axum::{
    http::{HeaderValue, header},
    response::Response,
};
use objects::ReportsError;
use std::{borrow::Cow, sync::Arc};

/// Files up to this size are read at once and cached.
const SMALL_BYTES: u64 = 256 << 10;

impl Serving {
    pub(super) async fn serve(
        self: &Arc<Self>,
        located: Located,
        path: Option<&str>,
        request: &FileRequest,
    ) -> Result<Response, ApiError> {
        let segment = located.segment;
        let current = self.current(&located);
        let is_current = segment.is_some() && segment == current;
        if !is_current && let Some(refusal) = self.refused(request, Some(located.id)) {
            return Ok(refusal);
        }
        // A browser resolves the files of a page against its address, so the page's address needs the version.
        let is_programs = segment.is_none() && request.purpose() == Purpose::Program;
        let is_served = is_current || is_programs;
        let Some(path) = path.filter(|_| is_served) else {
            let current = report_path(located.id, current, path.unwrap_or_default());
            return Ok(self.redirect_to_version(&request.with_query(current)));
        };
        let form = Form::of(request, self.needs_shim);
        let key = FileKey {
            object: located.key.clone(),
            path: path.to_owned(),
            form,
        };
        if let Some(file) = self.files.get(&key) {
            let answer = Plan::of(&file, request).answer(&file, request, located.cache())?;
            return Ok(located.varied(answer));
        }
        let (id, object) = (located.id, located.key.clone());
        let fresh_address = report_path(id, None, path);
        let fresh_address = request.with_query(fresh_address);
        let serving = self.clone();
        let (threads, request) = (self.reports.threads(), request.clone());
        let read = threads.run(move || serving.read(&located, key, &request));
        match read.await? {
            Err(ReportsError::Missing) => {
                self.reports.close(&object);
                if self.find(&id.to_string()).await?.1.key == *object {
                    Err(gone(id))
                } else {
                    // Another process has replaced the report meanwhile.
                    Ok(redirect(&fresh_address))
                }
            }
            read => read?,
        }
    }

    /// Reads a file, a folder's index, or lists a folder without an index. Blocks.
    fn read(
        &self,
        located: &Located,
        key: FileKey,
        request: &FileRequest,
    ) -> Result<Result<Response, ApiError>, ReportsError> {
        let Located { object, .. } = located;
        let path = entry_path(&key.path);
        let Some(entry) = object.entry(&path)? else {
            return self.read_folder(located, &key.path);
        };
        let file = Representation::of_entry(object, located.version, &path, entry, key.form)?;
        let plan = Plan::of(&file, request);
        if plan.sends() && !request.is_head && file.length <= SMALL_BYTES {
            let read = Arc::new(file.read()?);
            let bytes = read.memory() + key.path.len();
            self.files.put(key, read.clone(), bytes);
            let answer = plan.answer(&read, request, located.cache())?;
            return Ok(Ok(located.varied(answer)));
        }
        let answer = plan.answer(&file, request, located.cache())?;
        Ok(Ok(located.varied(answer)))
    }

    fn read_folder(
        &self,
        located: &Located,
        path: &str,
    ) -> Result<Result<Response, ApiError>, ReportsError> {
        let is_marked = path.is_empty() || path.ends_with('/');
        if is_marked {
            if let Some(folder) = located.object.folder(path, folder_page::MOST_SHOWN)? {
                return Ok(Ok(folder_page::answer(&folder, located.id, path)));
            }
        } else {
            let path = format!("{path}/");
            if located.object.folder(&path, 1)?.is_some() {
                let segment = located.segment;
                return Ok(Ok(redirect(&report_path(located.id, segment, &path))));
            }
        }
        Ok(Err(ApiError::not_found(format!(
            "The HTML report of record {} does not contain {path:?}.",
            located.id
        ))))
    }
}

impl Located {
    fn cache(&self) -> HeaderValue {
        match self.segment {
            Some(Segment {
                pass: Some(pass), ..
            }) => until(pass),
            Some(_) => FOREVER,
            None => ASK_AGAIN,
        }
    }

    /// Adds `Vary` to an address without a version, whose answer depends on the purpose of the request.
    fn varied(&self, mut answer: Response) -> Response {
        if self.segment.is_none() {
            answer.headers_mut().append(header::VARY, VARY);
        }
        answer
    }
}

/// Returns the path of the entry; for a folder, the path of its index.
fn entry_path(path: &str) -> Cow<'_, str> {
    if path.is_empty() || path.ends_with('/') {
        format!("{path}index.html").into()
    } else {
        path.into()
    }
}
