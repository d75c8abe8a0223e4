//! The rates in coverage files: decimal fractions from 0 to 1.

use crate::count::Count;

/// A rate from 0 to 1, exact to 18 decimals, without floating point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate(u64);

/// Units in a whole, and the decimals of one unit.
const WHOLE: u64 = 1_000_000_000_000_000_000;
const DECIMALS: i64 = 18;

/// The most digits of an integer. An integer with more is far over 1, unless an exponent that no tool writes makes it small.
const MOST_DIGITS: usize = 38;

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
        let text = std::str::from_utf8(text).ok()?.trim_ascii();
        let (is_negative, text) = match text.strip_prefix('-') {
            Some(text) => (true, text),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let exponent: i32 = exponent.parse().ok()?;
        let (integer, fraction) = mantissa.split_once(['.', ',']).unwrap_or((mantissa, ""));
        if integer.is_empty() && fraction.is_empty() {
            return None;
        }
        let integer = integer.trim_start_matches('0');
        if integer.len() > MOST_DIGITS {
            return None;
        }
        // The power of ten of a digit, in units.
        let mut power = DECIMALS + i64::from(exponent) + shift + integer.len() as i64;
        let (mut units, mut is_cut) = (0, false);
        for byte in integer.bytes().chain(fraction.bytes()) {
            power -= 1;
            match (power, byte) {
                (_, b'0') => {}
                (0..=DECIMALS, b'1'..=b'9') => {
                    units += u64::from(byte - b'0') * 10_u64.pow(power as u32)
                }
                (..0, b'1'..=b'9') => is_cut = true,
                _ => return None,
            }
        }
        // Rounds down, but never from above 0 to 0.
        let units = if is_cut { units.max(1) } else { units };
        (units <= WHOLE && !(is_negative && units > 0)).then_some(Self(units))
    }

    /// Hundredths of a percent, 0 to 10000, rounded like [`Count::basis_points`].
    pub fn basis_points(self) -> u16 {
        Count::new(self.0, WHOLE).map_or(0, Count::basis_points)
    }
}

#[cfg(test)]
mod tests;
