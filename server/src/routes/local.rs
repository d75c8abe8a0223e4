//! Where a browser goes on after its login: a path of this host, and never anywhere else.

/// Longer than any address that a page leads to.
const LONGEST: usize = 4_096;

/// The path that a login was asked for, or the overview where it is none of ours. Browsers take `//` and `/\` for the
/// beginning of another host, and leave out line breaks and tabs before they look.
pub(super) fn local(path: &str) -> &str {
    let is_plain = path.bytes().all(|byte| byte.is_ascii_graphic()) && !path.contains('\\');
    let is_local = path.starts_with('/') && !path.starts_with("//");
    match is_plain && is_local && path.len() <= LONGEST {
        true => path,
        false => "/",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_redirects_only_to_a_path_of_this_host() {
        for path in [
            "/",
            "/repos/acme/payments?branch=fix%2Fx&p=2",
            "/reports/7/",
            "/x//y",
        ] {
            assert_eq!(local(path), path);
        }
        let long = format!("/{}", "x".repeat(LONGEST));
        for path in [
            "",
            "//evil.example",
            "///evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "/x\\y",
            "/\t/evil.example",
            "/\n/evil.example",
            "/x\r\nset-cookie: a=b",
            " //evil.example",
            "https://evil.example",
            "https:evil.example",
            "javascript:alert(1)",
            "evil.example",
            "/ü",
            "/a b",
            &long,
        ] {
            assert_eq!(local(path), "/", "{path:?}");
        }
    }
}
