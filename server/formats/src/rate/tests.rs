use super::*;

fn basis_points(text: &str) -> Option<u16> {
    Rate::parse(text.as_bytes()).map(Rate::basis_points)
}

#[test]
fn rates_are_read_in_every_known_spelling() {
    for (text, expected) in [
        ("0", 0),
        ("1", 10_000),
        ("1.0", 10_000),
        ("1.00", 10_000),
        ("0.0", 0),
        ("-0.0", 0),
        (".5", 5000),
        ("+0.5", 5000),
        (" 0.75 ", 7500),
        ("0.9847", 9847),
        ("0,9666", 9666),
        ("0.8301000000000001", 8301),
        ("0.7726999999999999", 7727),
        ("8.48608282416836E-05", 1),
        ("8.48e-01", 8480),
        ("1E0", 10_000),
        ("1e+00", 10_000),
        ("75E-2", 7500),
        ("0.005e2", 5000),
    ] {
        assert_eq!(basis_points(text), Some(expected), "{text}");
    }
}

#[test]
fn an_invalid_rate_is_none() {
    for text in [
        "",
        "NaN",
        "nan",
        "Infinity",
        "-Infinity",
        "inf",
        "∞",
        "-1",
        "-0.5",
        "78",
        "1.0001",
        "1.000000000000000001",
        "0.5%",
        "0.5.5",
        "0,5,5",
        "1,000.5",
        ".",
        "e1",
        "0.5e",
        "0.5e1.5",
        "1e1",
        "0x1",
        "5 0",
        "99999999999999999999999999999999999999999999",
        "1e400",
        "1e99999999999",
    ] {
        assert_eq!(basis_points(text), None, "{text}");
    }
}

#[test]
fn percentages_are_rates_of_a_hundred() {
    for (text, expected) in [
        ("0", Some(0)),
        ("70", Some(7000)),
        ("100", Some(10_000)),
        ("69,66", Some(6966)),
        ("0.001", Some(1)),
        ("99.9999", Some(9_999)),
        ("100.1", None),
        ("NaN", None),
    ] {
        let rate = Rate::of_percent(text.as_bytes()).map(Rate::basis_points);
        assert_eq!(rate, expected, "{text}");
    }
}

#[test]
fn only_1_reads_100_and_only_0_reads_0() {
    assert_eq!(basis_points("0.99999"), Some(9_999));
    assert_eq!(
        basis_points("0.999999999999999999999999999999999999999999999"),
        Some(9_999)
    );
    assert_eq!(basis_points("0.00001"), Some(1));
    assert_eq!(basis_points("1e-300"), Some(1));
    assert_eq!(basis_points("1e-2147483648"), Some(1));
    assert_eq!(basis_points(&format!("0.{}1", "0".repeat(500))), Some(1));
    assert_eq!(basis_points(&format!("0.{}", "0".repeat(500))), Some(0));
    assert_eq!(basis_points(&format!("{}1", "0".repeat(500))), Some(10_000));
}

#[test]
fn halves_round_up_even_if_floating_point_is_below_them() {
    assert_eq!(basis_points("0.00005"), Some(1));
    assert_eq!(basis_points("0.12345"), Some(1235));
    assert_eq!(basis_points("0.57885"), Some(5789));
    assert_eq!(basis_points("0.57884999999999999999999999"), Some(5788));
}

#[test]
fn every_rate_of_four_decimals_is_read_exactly() {
    for rate in 0..=10_000_u16 {
        let text = format!("{}.{:04}", rate / 10_000, rate % 10_000);
        assert_eq!(basis_points(&text), Some(rate));
    }
}

#[test]
fn an_integer_with_too_many_digits_is_none_and_not_a_wrong_rate() {
    let digits = "9".repeat(44);
    assert_eq!(basis_points(&format!("{digits}e-44")), None);
    assert_eq!(basis_points(&format!("{digits}.5e-44")), None);
}
