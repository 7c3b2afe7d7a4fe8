//! What is answered to which request: files of the page to everybody, everything else to whoever has a token.

use super::PATIENCE;
use super::door::{Host, admit};
use super::guard::{LARGEST_BODY, guard};
use crate::page::assets;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use std::sync::Arc;
use tokio::time::timeout;

/// Every address of a match, or of the menu.
pub(super) fn with_pages<H: Host>(host: &Arc<H>) -> Router {
    Router::new()
        .route("/", get(|| async { page("live") }))
        .route("/{name}", get(|Path(name): Path<String>| async move { file(&name) }))
        .route("/api/once", post(once::<H>).layer(from_fn(in_time)))
        .route("/api/page", any(admit::<H>))
        .with_state(Arc::clone(host))
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(from_fn(guard))
}

/// A page that begins with this module.
pub(super) fn page(entry: &str) -> Response {
    ([(CONTENT_TYPE, "text/html; charset=utf-8")], assets::page(entry)).into_response()
}

/// A file of the page.
pub(super) fn file(name: &str) -> Response {
    match assets::file(name) {
        Some((kind, text)) => ([(CONTENT_TYPE, kind)], text).into_response(),
        None => (StatusCode::NOT_FOUND, "There is nothing here.").into_response(),
    }
}

/// Waits for the rest of a request no longer than for its head.
async fn in_time(request: Request, next: Next) -> Response {
    match timeout(PATIENCE, next.run(request)).await {
        Ok(response) => response,
        Err(_) => StatusCode::REQUEST_TIMEOUT.into_response(),
    }
}

/// The owner's token, for the code that opens a browser.
async fn once<H: Host>(State(host): State<Arc<H>>, code: String) -> Response {
    match host.door().keys.redeem(&code) {
        Some(token) => token.to_owned().into_response(),
        None => (StatusCode::UNAUTHORIZED, "This address has been opened before.").into_response(),
    }
}
