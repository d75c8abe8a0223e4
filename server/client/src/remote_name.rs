//! The name of a repository in the address of its git remote.

use domain::Repository;

/// Returns the repository of an address such as `https://git.example.com/acme/payments.git` or `git@git.example.com:acme/payments`.
pub(super) fn of(address: &str) -> Option<Repository> {
    let path = match address.split_once("://") {
        Some((_, rest)) => rest.split_once('/')?.1,
        None => address.split_once(':')?.1,
    };
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    path.replacen("/_git/", "/", 1).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn the_name_follows_the_host() {
        for (address, name) in [
            ("https://git.example.com/acme/payments.git", "acme/payments"),
            (
                "https://kim:secret@git.example.com:8443/acme/payments/",
                "acme/payments",
            ),
            (
                "ssh://git@git.example.com:22/acme/tools/payments",
                "acme/tools/payments",
            ),
            ("git@git.example.com:acme/payments.git", "acme/payments"),
            ("git@git.example.com:/acme/payments.git", "acme/payments"),
            (
                "https://acme@dev.azure.com/acme/shop/_git/payments",
                "acme/shop/payments",
            ),
        ] {
            let found = of(address).map(|found| found.to_string());
            assert_eq!(found.as_deref(), Some(name), "{address}");
        }
        for other in [
            "",
            "/srv/git/payments.git",
            "https://git.example.com",
            "git@git.example.com:payments",
            "file:///a b/c",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
