//! What is answered to which request: files of the page to everybody, everything else to whoever has a token.

use super::door::Door;
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
use axum::routing::{MethodRouter, any, get, post};
use std::sync::Arc;

/// Every address of a match.
pub(super) fn of_a_match(shared: &Arc<Shared>) -> Router {
    with_pages(&shared.door, any(socket::connect).with_state(Arc::clone(shared)))
}

/// The page with its files, and `connect` for its socket.
pub(super) fn with_pages(door: &Arc<Door>, connect: MethodRouter) -> Router {
    Router::new()
        .route("/", get(|| async { file("live.html") }))
        .route("/{name}", get(|Path(name): Path<String>| async move { file(&name) }))
        .route("/api/once", post(once).with_state(Arc::clone(door)))
        .route("/api/page", connect)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(from_fn(guard))
}

/// A file of the page.
pub(super) fn file(name: &str) -> Response {
    match files::named(name) {
        Some(file) => ([(CONTENT_TYPE, file.kind)], file.text).into_response(),
        None => (StatusCode::NOT_FOUND, "There is nothing here.").into_response(),
    }
}

/// The owner's token, for the code that opens a browser.
async fn once(State(door): State<Arc<Door>>, code: String) -> Response {
    match door.keys.redeem(&code) {
        Some(token) => token.to_owned().into_response(),
        None => (StatusCode::UNAUTHORIZED, "This address has been opened before.").into_response(),
    }
}
