//! Tests of the names of pages, on names and on real reports.

use super::*;

fn page_of(path: &str, entries: &[&str]) -> Option<String> {
    let start = entries.first().copied().unwrap_or_default();
    let mut page = SourcePage::new(path, start);
    entries.iter().for_each(|entry| page.see(entry));
    page.best
}

#[test]
fn each_tool_names_the_page_of_a_file_in_its_own_way() {
    for (path, page) in [
        ("lib/zlib/adler32.c", "zlib/adler32.c.gcov.html"),
        ("src/param/index.ts", "src/param/index.ts.html"),
        ("src/parse.js", "parse.js.html"),
        ("src/lib.rs", "coverage/tmp/_build/src/lib.rs.html"),
        ("lib/Rules/Word.php", "Rules/Word.php.html"),
        (
            "m/src/main/java/com/acme/Fee.java",
            "m/com.acme/Fee.java.html",
        ),
        ("src/click/core.py", "z_04aa84db88590889_core_py.html"),
        (
            "srv/src/click/__init__.py",
            "z_04aa84db88590889___init___py.html",
        ),
        ("src/click/core.py", "d_93810cdc318dec94_core_py.html"),
        ("src/click/core.py", "click_core_py.html"),
        ("six.py", "six.html"),
        (
            "cJSON.c",
            "index.cJSON.c.f81629e70775a711645d6df20d975bf5.html",
        ),
        ("src/fee.c", "fee.c.1a2b3c4d.html"),
    ] {
        let entries = ["b/html/index.html", "b/html/style.css", "b/html/other.html"];
        let page = format!("b/html/{page}");
        let entries: Vec<_> = entries.into_iter().chain([page.as_str()]).collect();
        assert_eq!(
            page_of(path, &entries).as_deref(),
            Some(page.as_str()),
            "{path}"
        );
    }
}

#[test]
fn pages_of_other_files_are_not_taken() {
    for (path, page) in [
        ("src/fee.c", "lib/fee.c.html"),
        ("src/fee.c", "src/fee.c.func.html"),
        ("src/fee.c", "fee.html.txt"),
        ("com/acme/Fee.java", "com.other/Fee.java.html"),
        ("src/fee/core.py", "z_04aa84db88590889_core_py.html"),
        ("src/fee.c", "my_fee_c.html"),
        ("src/index.py", "index.html"),
        ("fee.c", "coffee.c.1a2b3c4d.html"),
    ] {
        assert_eq!(page_of(path, &["index.html", page]), None, "{path} {page}");
    }
    let outside = ["b/html/index.html", "a/src/fee.c.html"];
    assert_eq!(
        page_of("src/fee.c", &outside),
        None,
        "outside of the report's folder"
    );
}

#[test]
fn more_common_folders_decide_and_a_tie_has_no_page() {
    let entries = ["index.html", "a/x/fee.c.html", "b/x/fee.c.html"];
    assert_eq!(
        page_of("w/b/x/fee.c", &entries).as_deref(),
        Some("b/x/fee.c.html")
    );
    assert_eq!(page_of("x/fee.c", &entries), None);
    let hashed = ["index.html", "fee.c.1a2b3c4d.html", "fee.c.1a2b3c4e.html"];
    assert_eq!(page_of("a/fee.c", &hashed), None);
}

#[test]
fn paths_and_pages_with_any_text_are_read_without_a_panic() {
    for path in ["", "/", "ü", "a//b", ".", "_"] {
        for page in [
            "",
            ".html",
            "_.html",
            "__.html",
            "ü.html",
            "z_ü_ü.html",
            "a..html",
        ] {
            page_of(path, &["index.html", page]);
        }
    }
}
