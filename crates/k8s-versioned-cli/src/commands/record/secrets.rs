//! What a recording never has: credentials.

/// The headers that are recorded. They are part of the API and do not identify the client.
pub(super) const RECORDED_HEADERS: [&str; 3] = ["accept", "content-type", "warning"];

/// Parts of the names of parameters that identify a client to servers and proxies. They are passed on, and not recorded.
const SECRETS: [&str; 8] =
    ["apikey", "auth", "credential", "passwd", "password", "secret", "signature", "token"];

/// Returns `true` for a parameter such as `access_token`. No parameter of the API has such a name.
pub(super) fn is_secret(name: &str) -> bool {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    let name: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
    SECRETS.iter().any(|part| name.contains(part))
}
