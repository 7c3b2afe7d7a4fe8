//! Who is answered: pages that came from here, under a name of this machine. Everything else is refused before anything
//! is looked at.

use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, HOST, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

pub(super) const LARGEST_BODY: usize = 16 << 10;

/// Refuses what no page of ours would ask, and says in every answer what a page may do.
pub(super) async fn guard(request: Request, next: Next) -> Response {
    let checked = check(request.headers(), request.uri().path().starts_with("/api/"));
    let host = request.headers().get(HOST).cloned();
    let mut response = match checked {
        Ok(()) => next.run(request).await,
        Err((code, sentence)) => (code, sentence).into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let own =
        host.as_ref().and_then(|host| host.to_str().ok()).filter(|_| checked.is_ok()).unwrap_or_default();
    if let Ok(policy) = HeaderValue::from_str(&policy(own)) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Scripts, styles and sockets of this server alone, and nothing else.
fn policy(host: &str) -> String {
    let socket = if host.is_empty() { String::new() } else { format!(" ws://{host}") };
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'{socket}; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'"
    )
}

fn check(headers: &HeaderMap, is_api: bool) -> Result<(), (StatusCode, &'static str)> {
    let only = |name: &HeaderName| {
        let mut values = headers.get_all(name).iter();
        values.next().filter(|_| values.next().is_none()).and_then(|value| value.to_str().ok())
    };
    let host = only(&HOST).filter(|host| is_own(host));
    let host = host.ok_or((
        StatusCode::MISDIRECTED_REQUEST,
        "This is arbiter on 127.0.0.1, localhost or [::1], under no other name.",
    ))?;
    if headers.contains_key(ORIGIN) && only(&ORIGIN) != Some(&format!("http://{host}")) {
        return Err((StatusCode::FORBIDDEN, "Another page may not ask this."));
    }
    let mut sites = headers.get_all("sec-fetch-site").iter().map(HeaderValue::as_bytes);
    if is_api && sites.any(|site| matches!(site, b"cross-site" | b"same-site")) {
        return Err((StatusCode::FORBIDDEN, "Another site may not ask this."));
    }
    let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > LARGEST_BODY as u64) {
        return Err((StatusCode::PAYLOAD_TOO_LARGE, "That is too long."));
    }
    Ok(())
}

/// Whether a name is one of this machine's own, on any port, since tunnels have their own.
fn is_own(host: &str) -> bool {
    let rest = ["127.0.0.1", "localhost", "[::1]"].iter().find_map(|name| host.strip_prefix(name));
    rest.is_some_and(|rest| match rest.strip_prefix(':') {
        Some(port) => !port.is_empty() && port.len() <= 5 && port.bytes().all(|byte| byte.is_ascii_digit()),
        None => rest.is_empty(),
    })
}

#[cfg(test)]
mod tests {
    use super::is_own;

    #[test]
    fn a_name_that_somebody_has_pointed_at_this_machine_is_not_its_own() {
        for own in ["127.0.0.1", "127.0.0.1:80", "localhost:54321", "[::1]:1"] {
            assert!(is_own(own), "{own}");
        }
        for other in [
            "",
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example:80",
            "localhost:",
            "localhost:80x",
            "127.0.0.1:80@evil",
            "::1",
            "0.0.0.0:80",
        ] {
            assert!(!is_own(other), "{other}");
        }
    }
}
