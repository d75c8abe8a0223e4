//! The uploader: a script for CI jobs, which the service serves and `coverage-dashboard upload` runs, and its template for GitLab CI.

/// The script, without an address.
const SCRIPT: &str = include_str!("../../uploader/upload.sh");

/// The template of a job for GitLab CI, for a placeholder service.
const GITLAB: &str = include_str!("../../uploader/gitlab.yml");

/// The placeholder in the template, always in single quotes.
const PLACEHOLDER: &str = "https://coverage.example.com";

/// The line of the script with the address of the service.
const ADDRESS: &str = "\npublic_url='' #";

/// Returns the script for a service at `public_url`; if that is empty, the script needs `COVERAGE_URL`.
pub fn script(public_url: &str) -> String {
    let address = format!("\npublic_url={} #", quoted(public_url));
    SCRIPT.replacen(ADDRESS, &address, 1)
}

/// Returns the template of a job for GitLab CI that uploads to a service at `public_url`.
pub fn gitlab(public_url: &str) -> String {
    // Within single quotes, YAML gives a meaning only to the quote.
    let address = printable(public_url).replace('\'', "''");
    GITLAB.replace(PLACEHOLDER, &address)
}

fn printable(text: &str) -> String {
    text.replace(|c: char| c.is_control(), "")
}

/// Quotes a text for a POSIX shell, without its control characters.
fn quoted(text: &str) -> String {
    format!("'{}'", printable(text).replace('\'', r"'\''"))
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
    fn the_template_for_gitlab_has_the_address_in_quotes_only() {
        let template = gitlab("http://it's.example\n");
        assert_eq!(template.matches("http://it''s.example").count(), 3);
        assert_eq!(GITLAB.matches(&format!("'{PLACEHOLDER}")).count(), 3);
        assert!(!template.contains(PLACEHOLDER));
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
