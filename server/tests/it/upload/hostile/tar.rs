//! Entries of tar archives.

use super::{accepted, corrupt, tar, too_large, unsafe_entry};
use crate::harness::{Archive, cobertura, gzip};
use ::tar::{EntryType, Header};

async fn refused_name(name: &[u8], in_detail: &str) {
    unsafe_entry(tar().entry(EntryType::Regular, name, b"").tar(), in_detail).await;
}

#[tokio::test]
async fn a_path_that_leaves_the_archive_is_refused() {
    for name in [&b"../evil.html"[..], b"a/../../evil.html", b"a/.."] {
        refused_name(name, "leads out of the archive").await;
    }
}

#[tokio::test]
async fn an_absolute_path_is_refused() {
    refused_name(b"/etc/passwd", "absolute path").await;
}

#[tokio::test]
async fn a_drive_letter_is_refused() {
    refused_name(b"C:/x.html", "absolute path").await;
    refused_name(b"C:x.html", "absolute path").await;
}

#[tokio::test]
async fn a_backslash_is_refused() {
    refused_name(b"a\\..\\b.html", "backslash").await;
}

#[tokio::test]
async fn a_control_character_in_a_name_is_refused() {
    refused_name(b"a\nb.html", "control character").await;
    let archive = tar().pax(&[("path", b"a\0b.html")]).file("x", "").tar();
    unsafe_entry(archive, "control character").await;
}

#[tokio::test]
async fn a_name_with_bidirectional_control_characters_is_refused() {
    refused_name("a\u{202e}lmth.exe".as_bytes(), "changes the text direction").await;
}

#[tokio::test]
async fn a_name_that_is_not_utf8_is_refused() {
    refused_name(b"\xff.html", "not UTF-8").await;
}

#[tokio::test]
async fn a_file_without_a_name_is_refused() {
    refused_name(b"", "has no name").await;
    refused_name(b"./.", "has no name").await;
}

#[tokio::test]
async fn a_path_over_the_limit_is_refused() {
    let archive = tar().long_name(&[b'x'; 1_025]).file("x", "").tar();
    too_large(archive, &[], "bytes for a path").await;
}

#[tokio::test]
async fn a_symlink_is_refused() {
    let archive = tar().entry(EntryType::Symlink, b"link", b"").tar();
    unsafe_entry(archive, "--dereference").await;
    let target = [b'x'; 200];
    let long_link = tar().entry(EntryType::GNULongLink, b"././@LongLink", &target);
    let archive = long_link.entry(EntryType::Symlink, b"link", b"").tar();
    unsafe_entry(archive, "--dereference").await;
}

#[tokio::test]
async fn a_hard_link_is_refused_unless_it_links_to_itself() {
    let archive = tar().hard_link("other.html", "index.html").tar();
    unsafe_entry(archive, "--hard-dereference").await;
    // tar writes this when it packs a file twice.
    accepted(tar().hard_link("index.html", "./index.html").tar(), &[]).await;
}

#[tokio::test]
async fn devices_and_fifos_are_refused() {
    for kind in [EntryType::Char, EntryType::Block, EntryType::Fifo] {
        unsafe_entry(tar().entry(kind, b"device", b"").tar(), "neither a file").await;
    }
}

#[tokio::test]
async fn an_entry_of_an_unknown_kind_is_refused() {
    // A volume label, a part of a file, a folder listing, and an undefined kind.
    for kind in [b'V', b'M', b'D', b'Z'] {
        let archive = tar().entry(EntryType::new(kind), b"odd", b"").tar();
        unsafe_entry(archive, "neither a file").await;
    }
}

#[tokio::test]
async fn a_sparse_file_of_any_format_is_refused() {
    let gnu = tar().headed(Header::new_gnu(), EntryType::GNUSparse, b"holes", b"x");
    unsafe_entry(gnu.tar(), "sparse").await;
    let formats: [&[(&str, &[u8])]; 3] = [
        &[("GNU.sparse.size", b"9"), ("GNU.sparse.numblocks", b"0")],
        &[("GNU.sparse.size", b"9"), ("GNU.sparse.map", b"0,1")],
        &[("GNU.sparse.major", b"1"), ("GNU.sparse.minor", b"0")],
    ];
    for records in formats {
        unsafe_entry(tar().pax(records).file("holes", "x").tar(), "sparse").await;
    }
}

#[tokio::test]
async fn a_long_name_is_accepted() {
    let name = format!("{}/long.css", ["folder"; 40].join("/"));
    let gnu = tar()
        .long_name(name.as_bytes())
        .file("cut off", "gnu")
        .tar();
    accepted(gnu, &[(&name, "gnu")]).await;
    let pax = tar()
        .pax(&[("path", name.as_bytes())])
        .file("cut off", "pax")
        .tar();
    accepted(pax, &[(&name, "pax")]).await;
    let mut ustar = Header::new_ustar();
    ustar.as_mut_bytes()[345..351].copy_from_slice(b"prefix");
    let ustar = tar()
        .headed(ustar, EntryType::Regular, b"name.css", b"ustar")
        .tar();
    accepted(ustar, &[("prefix/name.css", "ustar")]).await;
}

#[tokio::test]
async fn a_pax_name_is_checked_instead_of_the_header_name() {
    let archive = tar()
        .pax(&[("path", b"../evil.html")])
        .file("good.html", "");
    unsafe_entry(archive.tar(), "leads out of the archive").await;
    let archive = tar()
        .pax(&[("path", b"good.css")])
        .file("../evil.html", "x");
    accepted(archive.tar(), &[("good.css", "x")]).await;
}

#[tokio::test]
async fn a_pax_value_may_contain_newlines() {
    let records: &[(&str, &[u8])] = &[("SCHILY.xattr.x", b"\n\n9 path=\n"), ("path", b"good.css")];
    accepted(
        tar().pax(records).file("cut", "x").tar(),
        &[("good.css", "x")],
    )
    .await;
}

#[tokio::test]
async fn a_pax_size_that_differs_from_the_header_is_refused() {
    for size in [b"0", b"9"] {
        let archive = tar().pax(&[("size", size)]).file("x", "content").tar();
        unsafe_entry(archive, "two different sizes").await;
    }
    // A reader that believes one size takes the content for headers.
    let folder = tar()
        .pax(&[("size", b"0")])
        .entry(EntryType::Directory, b"a/", b"content");
    unsafe_entry(folder.tar(), "two different sizes").await;
    let archive = tar().pax(&[("size", b"99999999999")]).file("x", "").tar();
    too_large(archive, &[], "bytes for one file").await;
    accepted(
        tar().pax(&[("size", b"1")]).file("x", "y").tar(),
        &[("x", "y")],
    )
    .await;
}

#[tokio::test]
async fn contradictory_names_of_an_entry_are_refused() {
    let (one, other): (&[u8], &[u8]) = (b"one.html", b"other.html");
    for archive in [
        tar().long_name(one).pax(&[("path", other)]),
        tar().long_name(one).long_name(other),
        tar().pax(&[("path", one), ("path", other)]),
        tar().pax(&[("path", one)]).pax(&[("path", other)]),
    ] {
        unsafe_entry(archive.file("x", "").tar(), "contradicts another header").await;
    }
}

#[tokio::test]
async fn a_malformed_pax_header_is_refused() {
    for header in [
        &b"99 path=x\n"[..],
        b"path=x\n",
        b"8 path=x\n",
        b"\n9 path=x\n",
    ] {
        let archive = tar()
            .entry(EntryType::XHeader, b"pax", header)
            .file("x", "");
        corrupt(archive.tar(), "pax header is malformed").await;
    }
    corrupt(
        tar().pax(&[("size", b"-1")]).file("x", "").tar(),
        "not a number",
    )
    .await;
}

#[tokio::test]
async fn a_global_pax_header_may_not_set_names_or_sizes() {
    for key in ["path", "linkpath", "size", "GNU.sparse.realsize"] {
        let archive = tar().global_pax(&[(key, b"1")]).file("x", "");
        unsafe_entry(archive.tar(), "for all entries").await;
    }
    // As git archive writes it.
    let commit = [("comment", &b"2fd4e1c67a2d28fced849ee1bb76e7391b93eb12"[..])];
    let archive = Archive::new()
        .global_pax(&commit)
        .file("index.html", "<p>page")
        .file("coverage.xml", cobertura(1, 2));
    accepted(archive.tar(), &[]).await;
}

#[tokio::test]
async fn headers_without_an_entry_are_refused() {
    corrupt(tar().pax(&[("path", b"x")]).tar(), "a missing entry").await;
    corrupt(tar().long_name(b"x").tar(), "a missing entry").await;
}

#[tokio::test]
async fn headers_of_an_entry_are_limited_before_they_are_read() {
    let long = vec![b'x'; 3_000_000];
    let archive = tar().long_name(&long).file("short", "").tar();
    too_large(gzip(&archive), &[], "bytes of headers for an entry").await;
    let many = (0..700).fold(tar(), |archive, _| {
        archive.global_pax(&[("comment", &long[..999])])
    });
    too_large(gzip(&many.tar()), &[], "bytes of headers for an entry").await;
}

#[tokio::test]
async fn a_duplicate_name_is_refused() {
    unsafe_entry(tar().file("index.html", "").tar(), "occurs twice").await;
    unsafe_entry(tar().file(".//index.html", "").tar(), "occurs twice").await;
}

#[tokio::test]
async fn a_file_used_as_a_folder_is_refused() {
    let both = "as a file and as a folder";
    unsafe_entry(tar().file("a", "").file("a/b", "").tar(), both).await;
    unsafe_entry(tar().file("a/b", "").file("a", "").tar(), both).await;
    unsafe_entry(tar().folder("a/").file("a", "").tar(), both).await;
}

#[tokio::test]
async fn names_that_differ_only_in_case_are_both_accepted() {
    let archive = tar().file("a.css", "small").file("A.css", "large").tar();
    accepted(archive, &[("a.css", "small"), ("A.css", "large")]).await;
}

#[tokio::test]
async fn folders_are_skipped() {
    let archive = tar()
        .folder("./")
        .folder("a/")
        .folder("a/")
        .file("a/x.css", "x");
    accepted(archive.tar(), &[("a/x.css", "x")]).await;
    let v7 = tar().headed(Header::new_old(), EntryType::Regular, b"a/", b"");
    accepted(v7.file("a/x.css", "x").tar(), &[("a/x.css", "x")]).await;
}

#[tokio::test]
async fn a_folder_with_content_is_refused() {
    let archive = tar().entry(EntryType::Directory, b"a/", b"content");
    unsafe_entry(archive.tar(), "folder with content").await;
    let archive = tar().entry(EntryType::Regular, b"a/", b"content");
    unsafe_entry(archive.tar(), "folder with content").await;
}

#[tokio::test]
async fn every_flavour_of_header_is_accepted() {
    let flavours = [Header::new_old(), Header::new_ustar(), Header::new_gnu()];
    for header in flavours {
        let archive = tar()
            .headed(header, EntryType::Regular, b"a.css", b"x")
            .tar();
        accepted(archive, &[("a.css", "x")]).await;
    }
}

#[tokio::test]
async fn a_nested_archive_is_stored_as_an_ordinary_file() {
    let inner = Archive::report("<p>inner", "").file("../evil", "").tar();
    let text = String::from_utf8(inner.clone()).unwrap();
    accepted(
        tar().file("inner.tar", inner).tar(),
        &[("inner.tar", &text)],
    )
    .await;
}

#[tokio::test]
async fn files_that_macos_adds_are_stored_as_ordinary_files() {
    let archive = Archive::new()
        .file("._index.html", "Mac OS X")
        .file("._coverage.xml", "Mac OS X")
        .file("__MACOSX/._index.html", "Mac OS X")
        .file(".DS_Store", "Bud1");
    let report = tar().unfinished();
    let archive = [archive.unfinished(), report, vec![0; 1_024]].concat();
    accepted(
        archive,
        &[("._index.html", "Mac OS X"), (".DS_Store", "Bud1")],
    )
    .await;
}

#[tokio::test]
async fn a_missing_end_marker_is_refused() {
    corrupt(tar().unfinished(), "end of the archive is missing").await;
}

#[tokio::test]
async fn data_after_the_end_marker_is_skipped() {
    let archive = [tar().tar().as_slice(), b"garbage", &[1; 5_000]].concat();
    accepted(archive.clone(), &[]).await;
    accepted(gzip(&archive), &[]).await;
}

#[tokio::test]
async fn a_wrong_checksum_is_refused() {
    let mut archive = tar().file("x.css", "x").tar();
    let at = archive.len() - 1_024 - 1_024;
    archive[at] = b'y';
    corrupt(archive, "checksum").await;
}

#[tokio::test]
async fn an_impossible_size_is_refused() {
    let of_size = |size: &[u8; 12]| {
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.as_mut_bytes()[..1].copy_from_slice(b"x");
        header.as_mut_bytes()[124..136].copy_from_slice(size);
        tar().block(header, b"").tar()
    };
    corrupt(of_size(b"-0000000001\0"), "not a number").await;
    // Minus one in base 256.
    corrupt(of_size(&[0xff; 12]), "overflow").await;
    too_large(of_size(b"77777777777\0"), &[], "bytes for one file").await;
    too_large(
        of_size(b"\x80\0\0\0\x0f\0\0\0\0\0\0\0"),
        &[],
        "bytes for one file",
    )
    .await;
    // Larger than the rest of the archive.
    corrupt(of_size(b"00000010000\0"), "cut off").await;
}
