//! The uploader: a script for CI jobs, which the service serves and `coverage-dashboard upload` runs.

/// The script, without an address.
const SCRIPT: &str = include_str!("../uploader/upload.sh");

/// The line of the script with the address of the service.
const ADDRESS: &str = "\npublic_url='' #";

/// Returns the script for a service at `public_url`; if that is empty, the script needs `COVERAGE_URL`.
pub(crate) fn script(public_url: &str) -> String {
    let address = format!("\npublic_url={} #", quoted(public_url));
    SCRIPT.replacen(ADDRESS, &address, 1)
}

/// Quotes a text for a POSIX shell, without its control characters.
fn quoted(text: &str) -> String {
    let text = text.replace(|c: char| c.is_control(), "");
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_has_one_place_for_the_address() {
        assert_eq!(SCRIPT.matches(ADDRESS).count(), 1);
        assert_eq!(script(""), SCRIPT);
    }

    #[test]
    fn an_address_is_a_text_for_the_shell_whatever_it_contains() {
        for (address, line) in [
            ("https://a.example", "public_url='https://a.example' #"),
            (
                "http://a'; x `y` $(z) \"\\",
                r#"public_url='http://a'\''; x `y` $(z) "\' #"#,
            ),
            ("http://a\nexit 0\r\0", "public_url='http://aexit 0' #"),
        ] {
            assert!(
                script(address).contains(&format!("\n{line}")),
                "{address:?}"
            );
        }
    }
}
