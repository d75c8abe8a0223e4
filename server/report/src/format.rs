//! The names of the formats. Everything may import this file, and it imports nothing.

use std::fmt;

/// One row per format: its variant, its name in messages and records, its name as its makers write it.
/// Where two formats claim a document, the first one gets it.
macro_rules! formats {
    ($($(#[$doc:meta])* $variant:ident, $name:literal, $title:literal;)*) => {
        /// A format of coverage reports.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Format { $($(#[$doc])* $variant,)* }

        impl Format {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The name in lower case, as messages and stored records use it.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The name as its makers write it.
            #[must_use]
            pub fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }
        }
    };
}

formats! {
    /// Cobertura: written by tools of nearly every language.
    Cobertura, "cobertura", "Cobertura";
    /// JaCoCo: Java and what runs beside it; also gcovr, Kover, Pester.
    Jacoco, "jacoco", "JaCoCo";
    /// PHPUnit's own XML. Stands before Clover for the sake of imitations with Clover's root.
    PhpunitXml, "phpunit-xml", "PHPUnit XML";
    /// Clover: Atlassian Clover and OpenClover, PHPUnit, istanbul, gcovr.
    Clover, "clover", "Clover";
    /// SonarQube's generic coverage, which tools without a format of their own are converted to; also gcovr.
    SonarQube, "sonarqube-generic", "SonarQube generic";
    /// scoverage: Scala.
    Scoverage, "scoverage", "scoverage";
    /// BullseyeCoverage: C and C++.
    Bullseye, "bullseye", "Bullseye";
    /// Testwell CTC++: C and C++.
    Ctc, "ctc", "CTC++";
    /// OpenCover: OpenCover, coverlet and AltCover, of .NET.
    OpenCover, "opencover", "OpenCover";
    /// Visual Studio's and dotnet-coverage's XML: `CoverageDSPriv` and `results`.
    VisualStudio, "visual-studio", "Visual Studio";
    /// dotCover: XML with and without details.
    DotCover, "dotcover", "dotCover";
    /// NCover: NCover 1.5 and 3, AltCover.
    NCover, "ncover", "NCover";
    /// mprof: what Mono's own profilers write.
    Mprof, "mprof", "Mono log profiler";
    /// istanbul JSON: nyc, c8, jest and vitest, of files or as a summary.
    Istanbul, "istanbul", "istanbul JSON";
    /// coverage.py JSON: `coverage json`, pytest-cov.
    CoveragePyJson, "coverage-py-json", "coverage.py JSON";
    /// LLVM JSON: `llvm-cov export`, cargo-llvm-cov, Swift.
    LlvmJson, "llvm-json", "LLVM JSON";
    /// SimpleCov: its result set, and what its JSON formatters write.
    SimpleCov, "simplecov", "SimpleCov";
    /// LCOV tracefiles: geninfo, and tools of nearly every language.
    Lcov, "lcov", "LCOV";
    /// Go cover profile: `go test -coverprofile`.
    Go, "go", "Go cover profile";
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
