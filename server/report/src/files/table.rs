//! Values by number, each number once, in memory that is known to the byte.

/// A sorted vector: numbers mostly come in order and are appended.
///
/// One that comes too late waits behind those in order until there are as many such, then all are sorted.
/// So no order of numbers makes this slow, and none that come again and again make it grow.
#[derive(Debug)]
pub(super) struct Table<V> {
    /// Rows in order, then those that came too late.
    rows: Vec<(u64, V)>,
    /// How many are in order.
    in_order: usize,
}

/// Values of which two for the same number become one.
pub(super) trait Value: Copy {
    fn or(self, other: Self) -> Self;
}

/// Hits: the most that are told.
impl Value for u64 {
    fn or(self, other: Self) -> Self {
        self.max(other)
    }
}

/// What the allocator adds to a vector.
const VECTOR_BYTES: usize = 16;

impl<V: Value> Table<V> {
    /// Adds a value and tells how many more bytes are kept for it.
    pub(super) fn add(&mut self, number: u64, value: V) -> usize {
        let (ordered, late) = self.rows.split_at_mut(self.in_order);
        let is_next = late.is_empty() && ordered.last().is_none_or(|(last, _)| *last < number);
        if !is_next {
            if let Ok(known) = ordered.binary_search_by_key(&number, |(number, _)| *number) {
                ordered[known].1 = ordered[known].1.or(value);
                return 0;
            }
            if late.len() > ordered.len() {
                self.sort();
            }
        }
        let before = self.bytes();
        self.rows.push((number, value));
        self.in_order += usize::from(is_next);
        self.bytes() - before
    }

    pub(super) fn merge(&mut self, other: Self) {
        for (number, value) in other.rows {
            self.add(number, value);
        }
    }

    /// All rows, in order.
    pub(super) fn rows(&mut self) -> &[(u64, V)] {
        if self.in_order < self.rows.len() {
            self.sort();
        }
        &self.rows
    }

    /// All rows, in order.
    pub(super) fn into_rows(mut self) -> Vec<(u64, V)> {
        self.rows();
        self.rows
    }

    #[cold]
    fn sort(&mut self) {
        self.rows.sort_unstable_by_key(|(number, _)| *number);
        self.rows.dedup_by(|(number, value), (kept_number, kept)| {
            let is_same = number == kept_number;
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
            rows => VECTOR_BYTES + rows * size_of::<(u64, V)>(),
        }
    }
}

impl<V> Default for Table<V> {
    fn default() -> Self {
        let (rows, in_order) = (Vec::new(), 0);
        Self { rows, in_order }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_there_once_in_whatever_order_they_come() {
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
    fn numbers_that_come_backwards_or_again_take_no_more_time_or_memory() {
        const MANY: u64 = 300_000;
        let (mut backwards, mut few) = (Table::default(), Table::default());
        let (mut bytes_of_many, mut bytes_of_few) = (0, 0);
        for number in (0..MANY).rev() {
            bytes_of_many += backwards.add(number, 1);
            bytes_of_few += few.add([7, 3, 5, 1][number as usize % 4], 1);
        }
        assert!(bytes_of_many <= 16 + (1 << 19) * 16, "{bytes_of_many}");
        assert!(bytes_of_few <= 16 + 16 * 16, "{bytes_of_few}");
        assert_eq!(backwards.rows().len(), 300_000);
    }
}
