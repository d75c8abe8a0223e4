use super::find;

fn anchor(html: &str, line: u32) -> Option<String> {
    find(html.as_bytes(), line).expect("bytes in memory")
}

#[test]
fn the_anchors_of_each_tool_are_found() {
    for (html, expected) in [
        (
            r##"<p class="run"><span class="n"><a id="t41" href="#t41">41</a>"##,
            "t41",
        ),
        (r##"<p id='n41' class='pln'>"##, "n41"),
        (r##"<span id="L41"><span class="lineNum">"##, "L41"),
        (r##"<a name='L41'></a><a href='#L41'>41</a>"##, "L41"),
        (
            r##"<td class="lineno"><a id="l41" href="#l41">41</a>"##,
            "l41",
        ),
        (r##"<a id="file0_line41"></a>"##, "file0_line41"),
        (r##"<td id="41" class="col-0"><a href="#41">41</a>"##, "41"),
        (r"<a name=L41>", "L41"),
    ] {
        assert_eq!(anchor(html, 41).as_deref(), Some(expected), "{html}");
        assert_eq!(anchor(html, 4), None, "{html}");
        assert_eq!(anchor(html, 1), None, "{html}");
    }
}

#[test]
fn a_page_without_anchors_has_none() {
    for html in [
        "",
        "id=",
        "<a id=\"t41",
        "<p data-id=\"t41\">",
        "<p class=\"t41\">",
        "id=\"t41\"",
    ] {
        assert_eq!(anchor(html, 41), None, "{html}");
    }
}

#[test]
fn an_anchor_is_found_wherever_the_reads_split_it() {
    for before in 65_500..65_560 {
        let html = format!("{}<a id=\"t41\">", " ".repeat(before));
        assert_eq!(anchor(&html, 41).as_deref(), Some("t41"), "{before}");
    }
}
