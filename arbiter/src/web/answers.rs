//! What is answered to which request: files of the page to everybody, everything else to whoever has a token.

use super::guard::{LARGEST_BODY, guard};
use super::shared::Shared;
use super::socket;
use crate::page::files;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use std::sync::Arc;

/// Every address there is.
pub(super) fn router(shared: &Arc<Shared>) -> Router {
    Router::new()
        .route("/", get(|| async { file("live.html") }))
        .route("/{name}", get(|Path(name): Path<String>| async move { file(&name) }))
        .route("/api/page", any(socket::connect))
        .route("/api/once", post(once))
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(from_fn(guard))
        .with_state(Arc::clone(shared))
}

/// A file of the page.
pub(super) fn file(name: &str) -> Response {
    match files::named(name) {
        Some(file) => ([(CONTENT_TYPE, file.kind)], file.text).into_response(),
        None => (StatusCode::NOT_FOUND, "There is nothing here.").into_response(),
    }
}

/// The host's token, for the code that opens a browser.
async fn once(State(shared): State<Arc<Shared>>, code: String) -> Response {
    match shared.tokens.redeem(&code) {
        Some(token) => token.to_owned().into_response(),
        None => (StatusCode::UNAUTHORIZED, "This address has been opened before.").into_response(),
    }
}
