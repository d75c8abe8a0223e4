//! The clients of other services: their requests as they were captured, and the clients themselves.

mod codecov;
mod coveralls;
mod overload;
