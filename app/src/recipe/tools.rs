//! The coverage tools of each language, with commands that write an HTML report and a coverage file.

/// A language with its coverage tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToolLanguage {
    /// The key in an address and in the parameter `language`.
    pub key: &'static str,
    /// The name.
    pub name: &'static str,
    /// Its tools, the most widely used first.
    pub tools: &'static [Tool],
}

/// A tool that measures coverage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tool {
    /// The key in an address.
    pub key: &'static str,
    /// The name.
    pub name: &'static str,
    /// The commands that run the tests and write the HTML report and the coverage file, one per line.
    pub commands: &'static str,
    /// The files to pack.
    pub packed: &'static str,
    /// The coverage file.
    pub report: &'static str,
    /// The name of the coverage file's format.
    pub format: &'static str,
    /// What to set up before; may be empty.
    pub note: &'static str,
}

impl ToolLanguage {
    /// Returns the language with this key.
    pub fn find(key: &str) -> Option<&'static Self> {
        LANGUAGES.iter().find(|language| language.key == key)
    }

    /// Returns the tool with this key, or the first tool.
    pub fn tool(&self, key: &str) -> Option<&'static Tool> {
        let named = self.tools.iter().find(|tool| tool.key == key);
        named.or(self.tools.first())
    }
}

const VITEST: Tool = Tool {
    key: "vitest",
    name: "Vitest",
    commands: "npx vitest run --coverage.enabled --coverage.reporter=html --coverage.reporter=cobertura",
    packed: "coverage",
    report: "coverage/cobertura-coverage.xml",
    format: "Cobertura",
    note: "Needs @vitest/coverage-v8 or @vitest/coverage-istanbul.",
};

const JEST: Tool = Tool {
    key: "jest",
    name: "Jest",
    commands: "npx jest --coverage --coverageReporters=html --coverageReporters=cobertura",
    packed: "coverage",
    report: "coverage/cobertura-coverage.xml",
    format: "Cobertura",
    note: "",
};

const C8: Tool = Tool {
    key: "c8",
    name: "c8",
    commands: "npx c8 --reporter=html --reporter=cobertura npm test",
    packed: "coverage",
    report: "coverage/cobertura-coverage.xml",
    format: "Cobertura",
    note: "For node --test, mocha and anything else that npm test runs.",
};

const NYC: Tool = Tool {
    key: "nyc",
    name: "nyc (istanbul)",
    commands: "npx nyc --reporter=html --reporter=cobertura npm test",
    packed: "coverage",
    report: "coverage/cobertura-coverage.xml",
    format: "Cobertura",
    note: "",
};

const MAVEN: Tool = Tool {
    key: "maven",
    name: "JaCoCo with Maven",
    commands: "mvn verify jacoco:report",
    packed: "target/site/jacoco",
    report: "target/site/jacoco/jacoco.xml",
    format: "JaCoCo",
    note: "Needs the goal prepare-agent of jacoco-maven-plugin in the pom.",
};

const GRADLE: Tool = Tool {
    key: "gradle",
    name: "JaCoCo with Gradle",
    commands: "./gradlew test jacocoTestReport",
    packed: "build/reports/jacoco/test",
    report: "build/reports/jacoco/test/jacocoTestReport.xml",
    format: "JaCoCo",
    note: "Needs the plugin jacoco, and reports { xml.required = true; html.required = true } in jacocoTestReport.",
};

const GCOVR: Tool = Tool {
    key: "gcovr",
    name: "gcovr",
    commands: "mkdir -p htmlcov\ngcovr --html-details htmlcov/index.html --xml coverage.xml",
    packed: "htmlcov coverage.xml",
    report: "coverage.xml",
    format: "Cobertura",
    note: "Run it after tests compiled with --coverage (gcc or clang).",
};

const LCOV: Tool = Tool {
    key: "lcov",
    name: "LCOV",
    commands: "lcov --capture --directory . --output-file coverage.info\ngenhtml coverage.info --output-directory htmlcov",
    packed: "htmlcov coverage.info",
    report: "coverage.info",
    format: "LCOV",
    note: "Run it after tests compiled with --coverage (gcc or clang).",
};

/// All languages, sorted by name.
pub const LANGUAGES: &[ToolLanguage] = &[
    ToolLanguage {
        key: "c",
        name: "C",
        tools: &[GCOVR, LCOV],
    },
    ToolLanguage {
        key: "c++",
        name: "C++",
        tools: &[GCOVR, LCOV],
    },
    ToolLanguage {
        key: "c#",
        name: "C# and .NET",
        tools: &[Tool {
            key: "coverlet",
            name: "coverlet and ReportGenerator",
            commands: "dotnet test --collect:\"XPlat Code Coverage\" --results-directory coverage\nreportgenerator -reports:\"coverage/*/coverage.cobertura.xml\" -targetdir:htmlcov -reporttypes:\"Html;Cobertura\"",
            packed: "htmlcov",
            report: "htmlcov/Cobertura.xml",
            format: "Cobertura",
            note: "Needs the package coverlet.collector, and dotnet tool install --global dotnet-reportgenerator-globaltool.",
        }],
    },
    ToolLanguage {
        key: "dart",
        name: "Dart and Flutter",
        tools: &[Tool {
            key: "flutter",
            name: "Flutter and LCOV",
            commands: "flutter test --coverage\ngenhtml coverage/lcov.info --output-directory htmlcov",
            packed: "htmlcov coverage/lcov.info",
            report: "coverage/lcov.info",
            format: "LCOV",
            note: "genhtml comes with LCOV.",
        }],
    },
    ToolLanguage {
        key: "go",
        name: "Go",
        tools: &[Tool {
            key: "go",
            name: "go test",
            commands: "go test -coverprofile=coverage.out ./...\ngo tool cover -html=coverage.out -o coverage.html",
            packed: "coverage.html coverage.out",
            report: "coverage.out",
            format: "Go cover profile",
            note: "",
        }],
    },
    ToolLanguage {
        key: "java",
        name: "Java",
        tools: &[MAVEN, GRADLE],
    },
    ToolLanguage {
        key: "javascript",
        name: "JavaScript",
        tools: &[VITEST, JEST, C8, NYC],
    },
    ToolLanguage {
        key: "kotlin",
        name: "Kotlin",
        tools: &[
            Tool {
                key: "kover",
                name: "Kover",
                commands: "./gradlew koverHtmlReport koverXmlReport",
                packed: "build/reports/kover",
                report: "build/reports/kover/report.xml",
                format: "JaCoCo",
                note: "Needs the plugin org.jetbrains.kotlinx.kover.",
            },
            GRADLE,
        ],
    },
    ToolLanguage {
        key: "php",
        name: "PHP",
        tools: &[Tool {
            key: "phpunit",
            name: "PHPUnit",
            commands: "XDEBUG_MODE=coverage vendor/bin/phpunit --coverage-html htmlcov --coverage-clover coverage.xml",
            packed: "htmlcov coverage.xml",
            report: "coverage.xml",
            format: "Clover",
            note: "Needs Xdebug or PCOV.",
        }],
    },
    ToolLanguage {
        key: "python",
        name: "Python",
        tools: &[
            Tool {
                key: "pytest",
                name: "pytest-cov",
                commands: "pytest --cov --cov-report=html --cov-report=xml",
                packed: "htmlcov coverage.xml",
                report: "coverage.xml",
                format: "Cobertura",
                note: "",
            },
            Tool {
                key: "coverage",
                name: "coverage.py",
                commands: "coverage run -m unittest\ncoverage html\ncoverage xml",
                packed: "htmlcov coverage.xml",
                report: "coverage.xml",
                format: "Cobertura",
                note: "",
            },
        ],
    },
    ToolLanguage {
        key: "ruby",
        name: "Ruby",
        tools: &[Tool {
            key: "simplecov",
            name: "SimpleCov",
            commands: "bundle exec rake test",
            packed: "coverage",
            report: "coverage/.resultset.json",
            format: "SimpleCov",
            note: "Needs require \"simplecov\"; SimpleCov.start at the top of the test helper; it then writes the HTML report and the results automatically.",
        }],
    },
    ToolLanguage {
        key: "rust",
        name: "Rust",
        tools: &[
            Tool {
                key: "llvm-cov",
                name: "cargo-llvm-cov",
                commands: "cargo llvm-cov --no-report\ncargo llvm-cov report --html --output-dir coverage\ncargo llvm-cov report --cobertura --output-path coverage/cobertura.xml",
                packed: "coverage",
                report: "coverage/cobertura.xml",
                format: "Cobertura",
                note: "Needs cargo install cargo-llvm-cov and rustup component add llvm-tools.",
            },
            Tool {
                key: "tarpaulin",
                name: "cargo-tarpaulin",
                commands: "cargo tarpaulin --out Html --out Xml --output-dir coverage",
                packed: "coverage",
                report: "coverage/cobertura.xml",
                format: "Cobertura",
                note: "",
            },
        ],
    },
    ToolLanguage {
        key: "scala",
        name: "Scala",
        tools: &[Tool {
            key: "scoverage",
            name: "scoverage",
            commands: "sbt clean coverage test coverageReport",
            packed: "target/scala-*/scoverage-report target/scala-*/coverage-report",
            report: "cobertura.xml",
            format: "Cobertura",
            note: "Needs the plugin sbt-scoverage.",
        }],
    },
    ToolLanguage {
        key: "swift",
        name: "Swift",
        tools: &[Tool {
            key: "swiftpm",
            name: "Swift Package Manager",
            commands: "swift test --enable-code-coverage\ncp \"$(swift test --show-codecov-path)\" coverage.json",
            packed: "coverage.json",
            report: "coverage.json",
            format: "LLVM JSON",
            note: "The tool writes no HTML: the record has its numbers, but no HTML report.",
        }],
    },
    ToolLanguage {
        key: "typescript",
        name: "TypeScript",
        tools: &[VITEST, JEST, C8, NYC],
    },
];
