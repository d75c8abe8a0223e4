//! The formats of coverage files and their names.

use std::fmt;

/// Defines the formats: variant, name in messages and records, official name.
/// Their order decides between two formats that claim the same document: the first wins.
macro_rules! formats {
    ($($(#[$doc:meta])* $variant:ident, $name:literal, $title:literal;)*) => {
        /// A format of coverage files.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Format { $($(#[$doc])* $variant,)* }

        impl Format {
            /// All formats.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The name in lower case, as messages and stored records use it.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The official name.
            pub fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }
        }
    };
}

formats! {
    /// Cobertura: written by tools of nearly every language.
    Cobertura, "cobertura", "Cobertura";
    /// JaCoCo: languages of the JVM; also gcovr, Kover, Pester.
    Jacoco, "jacoco", "JaCoCo";
    /// PHPUnit's own XML. Comes before Clover, because files of other tools in this format have Clover's root.
    PhpunitXml, "phpunit-xml", "PHPUnit XML";
    /// Clover: Atlassian Clover and OpenClover, PHPUnit, istanbul, gcovr.
    Clover, "clover", "Clover";
    /// SonarQube's generic coverage, the target of converters; also gcovr.
    SonarQube, "sonarqube-generic", "SonarQube generic";
    /// scoverage: Scala.
    Scoverage, "scoverage", "scoverage";
    /// BullseyeCoverage: C and C++.
    Bullseye, "bullseye", "Bullseye";
    /// Testwell CTC++: C and C++.
    Ctc, "ctc", "CTC++";
    /// OpenCover: OpenCover, coverlet and AltCover for .NET.
    OpenCover, "opencover", "OpenCover";
    /// Visual Studio's and dotnet-coverage's XML: `CoverageDSPriv` and `results`.
    VisualStudio, "visual-studio", "Visual Studio";
    /// dotCover: XML with and without details.
    DotCover, "dotcover", "dotCover";
    /// NCover: NCover 1.5 and 3, AltCover.
    NCover, "ncover", "NCover";
    /// mprof: Mono's own profilers.
    Mprof, "mprof", "Mono log profiler";
    /// istanbul JSON: nyc, c8, jest and vitest, per file or as a summary.
    Istanbul, "istanbul", "istanbul JSON";
    /// coverage.py JSON: `coverage json`, pytest-cov.
    CoveragePyJson, "coverage-py-json", "coverage.py JSON";
    /// LLVM JSON: `llvm-cov export`, cargo-llvm-cov, Swift.
    LlvmJson, "llvm-json", "LLVM JSON";
    /// SimpleCov: its result set and its JSON formatters.
    SimpleCov, "simplecov", "SimpleCov";
    /// Codecov's own JSON, the target of converters; also cloverage, Devel::Cover, cargo-llvm-cov.
    Codecov, "codecov", "Codecov JSON";
    /// Coveralls' JSON: the body of an upload to Coveralls.
    Coveralls, "coveralls", "Coveralls JSON";
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
