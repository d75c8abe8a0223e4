//! The redirect after a login: always a path of this host.

/// Bytes of the longest path, longer than any address in a page.
const LONGEST: usize = 4_096;

/// Returns the path, or the overview if it is not local. Browsers take `//` and `/\` for the start of another host, and
/// first remove line breaks and tabs.
pub(super) fn local(path: &str) -> &str {
    let is_plain = path.bytes().all(|byte| byte.is_ascii_graphic()) && !path.contains('\\');
    let is_local = path.starts_with('/') && !path.starts_with("//");
    if is_plain && is_local && path.len() <= LONGEST {
        path
    } else {
        "/"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_redirects_only_to_a_path_of_this_host() {
        for path in [
            "/",
            "/repos/acme/payments?branch_name=fix%2Fx&p=2",
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
