//! The rates in coverage files: decimal fractions from 0 to 1.

use crate::count::Count;

/// A rate from 0 to 1, exact to 18 decimals, without floating point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate(u64);

/// Units in a whole, and the decimals of one unit.
const WHOLE: u64 = 1_000_000_000_000_000_000;
const DECIMALS: i64 = 18;

impl Rate {
    /// Parses `0.8333`, `1`, `8.4E-05` and, from tools with such a locale, `0,8333`.
    ///
    /// Returns `None` for anything else: `NaN`, infinities, negative numbers, numbers over 1, other text.
    ///
    /// ```
    /// use formats::Rate;
    /// assert_eq!(Rate::parse(b"0,97").map(Rate::basis_points), Some(9700));
    /// assert_eq!(Rate::parse(b"NaN"), None);
    /// ```
    pub fn parse(text: &[u8]) -> Option<Self> {
        Self::shifted(text, 0)
    }

    /// Reads a percentage, from `0` to `100`.
    pub(crate) fn of_percent(text: &[u8]) -> Option<Self> {
        Self::shifted(text, -2)
    }

    /// Reads a number times ten to the power of `shift`.
    fn shifted(text: &[u8], shift: i64) -> Option<Self> {
        let text = text.trim_ascii();
        let (negative, text) = match text {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            _ => (false, text),
        };
        let end = text
            .iter()
            .position(|byte| byte.eq_ignore_ascii_case(&b'e'));
        let (mantissa, exponent) = match end {
            Some(end) => (&text[..end], exponent(&text[end + 1..])?),
            None => (text, 0),
        };
        let mantissa = Mantissa::parse(mantissa)?;
        let units = mantissa.units(exponent + shift)?;
        (units <= WHOLE && !(negative && units > 0)).then_some(Self(units))
    }

    /// Hundredths of a percent, 0 to 10000, rounded like [`Count::basis_points`].
    pub fn basis_points(self) -> u16 {
        Count::new(self.0, WHOLE).map_or(0, Count::basis_points)
    }
}

fn exponent(digits: &[u8]) -> Option<i64> {
    let exponent: i32 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    Some(i64::from(exponent))
}

/// `digits` times ten to the power of minus `decimals`, and slightly more if `cut`.
struct Mantissa {
    digits: u128,
    decimals: i64,
    cut: bool,
}

impl Mantissa {
    fn parse(text: &[u8]) -> Option<Self> {
        let mut mantissa = Self {
            digits: 0,
            decimals: 0,
            cut: false,
        };
        let (mut seen_digit, mut seen_point) = (false, false);
        for &byte in text {
            match byte {
                b'0'..=b'9' => {
                    seen_digit = true;
                    mantissa.push(byte - b'0', seen_point)?;
                }
                b'.' | b',' if !seen_point => seen_point = true,
                _ => return None,
            }
        }
        seen_digit.then_some(mantissa)
    }

    /// Digits of a fraction after the 38 that fit are cut. An integer with more digits is far over 1.
    fn push(&mut self, digit: u8, in_fraction: bool) -> Option<()> {
        let longer = self
            .digits
            .checked_mul(10)
            .and_then(|digits| digits.checked_add(u128::from(digit)));
        match longer {
            Some(digits) if !self.cut => {
                self.digits = digits;
                self.decimals += i64::from(in_fraction);
            }
            _ if in_fraction => self.cut = true,
            _ => return None,
        }
        Some(())
    }

    /// Rounds down, but never from above 0 to 0. `None` if far over 1.
    fn units(&self, exponent: i64) -> Option<u64> {
        if self.digits == 0 {
            return Some(u64::from(self.cut));
        }
        let shift = DECIMALS + exponent - self.decimals;
        let power = u32::try_from(shift.unsigned_abs())
            .ok()
            .and_then(|power| 10_u128.checked_pow(power));
        let units = match (shift >= 0, power) {
            (true, power) => self.digits.checked_mul(power?)?,
            (false, power) => power.map_or(0, |power| self.digits / power).max(1),
        };
        u64::try_from(units).ok()
    }
}

#[cfg(test)]
mod tests;
