//! The output of a command for another program, such as `head`, which may stop reading before the end.

use std::{
    error::Error,
    io::{self, ErrorKind, Write},
};

/// An output that remembers whether its reader has closed it.
#[derive(Debug)]
pub struct Output<W> {
    inner: W,
    is_closed: bool,
}

impl<W> Output<W> {
    /// Creates an open output.
    pub fn new(inner: W) -> Self {
        Self {
            inner,
            is_closed: false,
        }
    }

    /// Returns the result of a command that printed here. A reader that closed the output, such as `head`, is not a failure.
    pub fn ended<E: Error + 'static>(&self, done: Result<(), E>) -> Result<(), E> {
        match done {
            Err(error) if self.is_closed && is_of_output(&error) => Ok(()),
            done => done,
        }
    }

    fn noted<T>(&mut self, done: io::Result<T>) -> io::Result<T> {
        let is_closed = |error: &io::Error| error.kind() == ErrorKind::BrokenPipe;
        self.is_closed |= done.as_ref().is_err_and(is_closed);
        done
    }
}

/// Returns whether the error is a closed pipe or directly caused by one. Deeper causes belong to connections to other
/// services.
fn is_of_output(error: &(dyn Error + 'static)) -> bool {
    let errors = [Some(error), error.source()];
    errors.into_iter().flatten().any(|error| {
        error
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
    })
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.inner.write(bytes);
        self.noted(done)
    }

    fn flush(&mut self) -> io::Result<()> {
        let done = self.inner.flush();
        self.noted(done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails with this kind of error.
    struct Failing(ErrorKind);

    impl Write for Failing {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(self.0.into())
        }
    }

    #[test]
    fn only_a_closed_output_turns_a_failure_into_success() {
        for (kind, is_failure) in [
            (ErrorKind::BrokenPipe, false),
            (ErrorKind::StorageFull, true),
        ] {
            let mut out = Output::new(Failing(kind));
            let done = out.write_all(b"x").and_then(|()| out.flush());
            assert!(done.is_err());
            assert_eq!(out.ended(done).is_err(), is_failure, "{kind}");
            let other = Err(io::Error::from(ErrorKind::PermissionDenied));
            assert!(out.ended(other).is_err(), "it failed for another reason");
        }
    }
}
