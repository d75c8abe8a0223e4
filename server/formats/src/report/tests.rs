use super::*;

#[test]
fn names_of_branches_are_the_same_in_all_releases() {
    for (scheme, text, expected) in [
        (Scheme::Offset, "0,3,1", 1_622_751_956),
        (Scheme::Offset, "1,12,0", 2_851_888_804),
        (
            Scheme::Description,
            "[:if, 0, 3, 4, 3, 20]",
            3_006_035_573_u32,
        ),
    ] {
        let name = BranchName::of_text(scheme, text.as_bytes());
        assert_eq!(name.number(), expected, "{text}");
    }
    let name = BranchName::new(Scheme::Destination, 7);
    assert_eq!(name.number(), 7 * 16 + 2);
}
