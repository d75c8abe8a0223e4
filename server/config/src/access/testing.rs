//! Settings of a command line in tests.

use super::Access;
use clap::Parser;

pub(super) fn parsed(arguments: &[&str]) -> Access {
    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        access: Access,
    }
    let program = ["coverage-dashboard"];
    let line = CommandLine::parse_from(program.iter().chain(arguments));
    line.access
}
