//! A map whose exact memory use is known.

/// A sorted vector. Keys are mostly line numbers, which mostly arrive in order and are appended.
///
/// Keys far out of order are stored after the sorted ones. When there are as many as sorted ones, all are sorted.
/// So no order of keys is slow, and repeated keys do not increase memory.
#[derive(Debug)]
pub(super) struct Table<K, V> {
    /// The sorted rows, then the rows out of order.
    rows: Vec<(K, V)>,
    /// The number of sorted rows.
    in_order: usize,
}

/// Values of the same key can be merged.
pub(super) trait Value: Copy {
    fn or(self, other: Self) -> Self;
}

/// Hits: the higher number.
impl Value for u64 {
    fn or(self, other: Self) -> Self {
        self.max(other)
    }
}

/// A key that belongs at most this many rows before the end is inserted there. It mostly belongs to the same line as its
/// neighbours.
const NEAR: usize = 8;

/// The bytes that the allocator adds to a vector.
const VECTOR_BYTES: usize = 16;

impl<K: Ord + Copy, V: Value> Table<K, V> {
    /// Adds a value and returns the additional bytes of memory.
    #[inline]
    pub(super) fn add(&mut self, key: K, value: V) -> usize {
        let is_in_order = self.in_order == self.rows.len();
        let is_full = self.rows.len() == self.rows.capacity();
        match self.rows.last_mut() {
            Some((last, _)) if is_in_order && *last < key && !is_full => {
                self.rows.push((key, value));
                self.in_order += 1;
                0
            }
            Some((last, known)) if is_in_order && *last == key => {
                *known = known.or(value);
                0
            }
            _ => self.add_anywhere(key, value),
        }
    }

    fn add_anywhere(&mut self, key: K, value: V) -> usize {
        let place = match self.place(&key) {
            Ok(known) => {
                self.rows[known].1 = self.rows[known].1.or(value);
                return 0;
            }
            Err(place) => place,
        };
        let late = self.rows.len() - self.in_order;
        let before = self.bytes();
        if late == 0 && self.in_order - place <= NEAR {
            self.rows.insert(place, (key, value));
            self.in_order += 1;
        } else {
            if late > self.in_order {
                self.sort();
            }
            self.rows.push((key, value));
        }
        self.bytes() - before
    }

    /// The position of a key among the sorted rows, or the position for its insertion.
    fn place(&self, key: &K) -> Result<usize, usize> {
        let ordered = &self.rows[..self.in_order];
        ordered.binary_search_by_key(key, |(key, _)| *key)
    }

    /// Whether a key is among the sorted rows, so that adding it again changes only its value.
    pub(super) fn knows(&self, key: &K) -> bool {
        self.place(key).is_ok()
    }

    pub(super) fn merge(&mut self, other: Self) {
        if self.rows.is_empty() {
            *self = other;
            return;
        }
        for (key, value) in other.rows {
            self.add(key, value);
        }
    }

    /// All rows, in order.
    pub(super) fn rows(&mut self) -> &[(K, V)] {
        if self.in_order < self.rows.len() {
            self.sort();
        }
        &self.rows
    }

    /// All rows, in order.
    pub(super) fn into_rows(mut self) -> Vec<(K, V)> {
        self.rows();
        self.rows
    }

    #[cold]
    fn sort(&mut self) {
        self.rows.sort_unstable_by_key(|(key, _)| *key);
        self.rows.dedup_by(|(key, value), (kept_key, kept)| {
            let is_same = key == kept_key;
            if is_same {
                *kept = kept.or(*value);
            }
            is_same
        });
        self.in_order = self.rows.len();
    }

    fn bytes(&self) -> usize {
        match self.rows.capacity() {
            0 => 0,
            rows => VECTOR_BYTES + rows * size_of::<(K, V)>(),
        }
    }
}

impl<K, V> Default for Table<K, V> {
    fn default() -> Self {
        let (rows, in_order) = (Vec::new(), 0);
        Self { rows, in_order }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_stored_once_in_any_order() {
        let mixed: Vec<u64> = (0..500).map(|index| index * 40 % 997).collect();
        let in_order: Vec<u64> = (0..997).collect();
        let backwards: Vec<u64> = in_order.iter().rev().copied().collect();
        let twice = [in_order.clone(), in_order.clone()].concat();
        let there_and_back = [in_order.clone(), backwards.clone()].concat();
        for numbers in [mixed, in_order, backwards, twice, there_and_back] {
            let mut table = Table::default();
            let mut expected = std::collections::BTreeMap::new();
            for (index, number) in numbers.into_iter().enumerate() {
                let value = index as u64 % 7;
                table.add(number, value);
                let most = expected.entry(number).or_insert(0);
                *most = value.max(*most);
            }
            assert_eq!(table.into_rows(), expected.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn descending_or_repeated_numbers_cost_no_more_time_or_memory() {
        const MANY: u64 = 300_000;
        let mut backwards = Table::default();
        let bytes_of_many: usize = (0..MANY).rev().map(|number| backwards.add(number, 1)).sum();
        assert!(bytes_of_many <= 16 + (1 << 19) * 16, "{bytes_of_many}");
        for numbers in [[7, 3, 5, 1], [1, 5, 3, 7]] {
            let mut few = Table::default();
            let repeated = numbers.iter().cycle().take(MANY as usize);
            let bytes_of_few: usize = repeated.map(|&number| few.add(number, 1)).sum();
            assert!(bytes_of_few <= 16 + 16 * 16, "{bytes_of_few}");
        }
        assert_eq!(backwards.rows().len(), 300_000);
    }
}
