//! Tests of the standalone image.

use super::*;

#[test]
fn an_svg_document_is_self_contained_in_light_and_dark() {
    let mut chart = chart(vec![
        line("main · rust", &[8_000, 8_150]),
        line("fix/مرحبا · \"<x>\" 🚀", &[7_000, 7_100]),
    ]);
    chart.target = Some(Percentage::from_basis_points(8_000));
    let svg = chart.document("Coverage of acme/payments <&>", "nothing");
    for part in [
        "role=\"img\"",
        "<title id=\"title\">Coverage of acme/payments &lt;&amp;&gt;</title>",
        "main · rust: 81.50 % on 10 Nov 2026",
        "prefers-color-scheme:dark",
        "stroke=\"#2f5bd7\" class=\"series-1\"",
        "&lt;x&gt;",
        "\ntarget\n",
        "\n80\u{202f}%\n",
    ] {
        assert!(svg.contains(part), "{part} is not in {svg}");
    }
    for foreign in ["var(", "<a ", "<script", "href", "<x>", "#0"] {
        assert!(!svg.contains(foreign), "{foreign} is in {svg}");
    }
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>"));
    assert_eq!(svg.matches("<svg").count(), 1);
}

#[test]
fn a_document_without_points_says_why() {
    let svg = chart(Vec::new()).document("Coverage of acme/none", "Nothing was uploaded.");
    assert!(svg.contains(">Nothing was uploaded.</text></svg>"), "{svg}");
    assert!(
        svg.contains("<title id=\"title\">Coverage of acme/none</title>"),
        "{svg}"
    );
}

#[test]
fn long_names_keep_their_end_and_many_lines_get_more_rows() {
    let group = "a-group-with-a-long-name/".repeat(6);
    let title = format!("Coverage of {group}payments, main");
    let name = format!("feature/{}end · rust", "very-long-".repeat(12));
    let lines: Vec<_> = (0..8).map(|_| line(&name, &[8_000])).collect();
    let svg = chart(lines).document(&title, "nothing");
    assert!(svg.contains("/payments, main</text>"), "{svg}");
    assert_eq!(svg.matches("end · rust\u{2069} 80.00").count(), 8, "{svg}");
    // Each row has one name.
    assert!(svg.contains("height=\"386\""), "{svg}");
    assert!(svg.contains("<text x=\"16\" y=\"171\""), "{svg}");
    assert_eq!(shortened("äbcdefghij", 7), "äb…ghij");
    assert_eq!(shortened("äbcdefg", 7), "äbcdefg");
}
