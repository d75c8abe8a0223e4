//! The layout of a treemap.
//!
//! Squarified treemaps (Bruls, Huizing and van Wijk, 2000): tiles are placed in rows along the shorter side of the rest,
//! and a row grows while that makes its tiles more square. Coordinates are integers, and neighbours share their edges, so
//! that tiles leave no gaps and never overlap.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rect {
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) width: u32,
    pub(super) height: u32,
}

/// Returns a rectangle for each weight, in the same order; together they fill the drawing. The weights should be sorted, the
/// largest first.
pub(super) fn layout(weights: &[u64], (width, height): (u32, u32)) -> Vec<Rect> {
    let mut placed = Vec::with_capacity(weights.len());
    let mut left = Rect {
        x: 0,
        y: 0,
        width,
        height,
    };
    let mut rest = weights;
    while !rest.is_empty() {
        let short = left.width.min(left.height);
        let long = left.width.max(left.height);
        let weight_left: u128 = sum(rest);
        let count = row(rest, short, long, weight_left);
        let (of_row, others) = rest.split_at(count);
        let weight = sum(of_row);
        let thickness = if others.is_empty() {
            long
        } else {
            share(long, weight, weight_left)
        };
        let is_column = left.width >= left.height;
        let (mut before, mut from) = (0, 0);
        for tile in of_row {
            before += u128::from(*tile);
            let to = share(short, before, weight);
            let mut tile = left;
            if is_column {
                tile.y += from;
                (tile.width, tile.height) = (thickness, to - from);
            } else {
                tile.x += from;
                (tile.width, tile.height) = (to - from, thickness);
            }
            placed.push(tile);
            from = to;
        }
        if is_column {
            left.x += thickness;
            left.width -= thickness;
        } else {
            left.y += thickness;
            left.height -= thickness;
        }
        rest = others;
    }
    placed
}

fn row(weights: &[u64], short: u32, long: u32, weight_left: u128) -> usize {
    let mut best = f64::INFINITY;
    let mut weight = 0;
    for (index, tile) in weights.iter().enumerate() {
        weight += u128::from(*tile);
        // The first tile is the largest of the row, and this one the smallest.
        let worst = worst_of(&[weights[0], *tile], weight, short, long, weight_left);
        if worst > best {
            return index;
        }
        best = worst;
    }
    weights.len()
}

/// The worst aspect ratio of some tiles of a row; 1 is a square.
fn worst_of(tiles: &[u64], weight: u128, short: u32, long: u32, weight_left: u128) -> f64 {
    let thickness = f64::from(long) * weight as f64 / weight_left as f64;
    let ratios = tiles.iter().map(|tile| {
        let length = f64::from(short) * *tile as f64 / weight as f64;
        (length / thickness).max(thickness / length)
    });
    ratios.fold(0.0, f64::max)
}

/// The part of a length for a weight, rounded.
fn share(length: u32, weight: u128, whole: u128) -> u32 {
    if whole == 0 {
        return 0;
    }
    let share = (u128::from(length) * weight * 2 + whole) / (whole * 2);
    u32::try_from(share).map_or(length, |share| share.min(length))
}

fn sum(weights: &[u64]) -> u128 {
    weights.iter().copied().map(u128::from).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: Rect = Rect {
        x: 0,
        y: 0,
        width: 1_120,
        height: 420,
    };

    fn area(rect: &Rect) -> u64 {
        u64::from(rect.width) * u64::from(rect.height)
    }

    /// Weights of many kinds, the largest first.
    fn samples() -> Vec<Vec<u64>> {
        let mut samples = vec![
            vec![1],
            vec![u64::MAX, 1],
            vec![5; 120],
            (1..=120).rev().map(|n| n * n * n).collect(),
            vec![1 << 40, 3, 2, 1, 1, 1],
        ];
        let mut state = 7_u64;
        for length in 1..60 {
            let mut weights: Vec<_> = (0..length)
                .map(|_| {
                    state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    (state >> 33) % 10_000 + 1
                })
                .collect();
            weights.sort_unstable_by(|a, b| b.cmp(a));
            samples.push(weights);
        }
        samples
    }

    #[test]
    fn tiles_fill_the_whole_area_and_stay_inside_it() {
        for weights in samples() {
            let tiles = layout(&weights, (WHOLE.width, WHOLE.height));
            assert_eq!(tiles.len(), weights.len());
            assert_eq!(
                tiles.iter().map(area).sum::<u64>(),
                area(&WHOLE),
                "{weights:?}"
            );
            for tile in &tiles {
                assert!(tile.x + tile.width <= WHOLE.width, "{tile:?}");
                assert!(tile.y + tile.height <= WHOLE.height, "{tile:?}");
            }
        }
    }

    #[test]
    fn no_tile_overlaps_another() {
        for weights in samples() {
            let tiles = layout(&weights, (WHOLE.width, WHOLE.height));
            for (index, a) in tiles.iter().enumerate() {
                for b in &tiles[index + 1..] {
                    let apart = a.x + a.width <= b.x
                        || b.x + b.width <= a.x
                        || a.y + a.height <= b.y
                        || b.y + b.height <= a.y
                        || area(a) == 0
                        || area(b) == 0;
                    assert!(apart, "{a:?} and {b:?} of {weights:?}");
                }
            }
        }
    }

    #[test]
    fn the_area_of_a_tile_is_proportional_to_its_weight() {
        let weights = [600, 600, 400, 300, 200, 200, 100];
        let tiles = layout(&weights, (600, 400));
        for (tile, weight) in tiles.iter().zip(weights) {
            let expected = 600 * 400 * weight / 2_400;
            assert!(
                area(tile).abs_diff(expected) * 50 <= expected,
                "{tile:?}, {weight}"
            );
            // The authors' own example: no tile is far from a square.
            let (short, long) = (tile.width.min(tile.height), tile.width.max(tile.height));
            assert!(long <= short * 3, "{tile:?}");
        }
    }

    #[test]
    fn no_items_give_no_tiles() {
        assert_eq!(layout(&[], (WHOLE.width, WHOLE.height)), []);
    }
}
