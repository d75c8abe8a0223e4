//! Layouts of repositories, checkouts and tools. All but a few are from public reports of coverage tools.

use super::{Case, NONE};

pub(super) const CASES: &[Case] = &[
    Case {
        name: "Go: pay.go at the top, internal/pay/pay.go",
        files: "github.com/acme/pay/pay.go github.com/acme/pay/internal/pay/pay.go github.com/acme/pay/fee/fee.go",
        listed: "go.mod pay.go internal/pay/pay.go fee/fee.go",
        expected: "pay.go internal/pay/pay.go fee/fee.go",
        ..NONE
    },
    Case {
        name: "second part of it: one file",
        files: "github.com/acme/pay/fee/fee.go",
        listed: "go.mod pay.go internal/pay/pay.go fee/fee.go",
        expected: "fee/fee.go",
        ..NONE
    },
    Case {
        name: "a part with only the top pay.go",
        files: "github.com/acme/pay/pay.go",
        listed: "go.mod pay.go internal/pay/pay.go fee/fee.go",
        expected: "pay.go",
        repository: "pay",
        ..NONE
    },
    Case {
        name: "conftest.py twice, source /home/runner/work/pay/pay",
        files: "conftest.py pay/conftest.py pay/fee.py",
        listed: "conftest.py pay/conftest.py pay/fee.py setup.py",
        expected: "conftest.py pay/conftest.py pay/fee.py",
        root: "/home/runner/work/pay/pay/",
        sources: "/home/runner/work/pay/pay/",
        ..NONE
    },
    Case {
        name: "the same without root",
        files: "conftest.py pay/conftest.py pay/fee.py",
        listed: "conftest.py pay/conftest.py pay/fee.py setup.py",
        expected: "conftest.py pay/conftest.py pay/fee.py",
        sources: "/home/runner/work/pay/pay/",
        ..NONE
    },
    Case {
        name: "only conftest.py in the report, with root",
        files: "conftest.py",
        listed: "conftest.py pay/conftest.py pay/fee.py",
        expected: "conftest.py",
        root: "/home/runner/work/pay/pay/",
        sources: "/home/runner/work/pay/pay/",
        ..NONE
    },
    Case {
        name: "index.js, packages/kit/index.js",
        files: "/home/runner/work/kit/kit/index.js /home/runner/work/kit/kit/packages/kit/index.js",
        listed: "index.js packages/kit/index.js package.json",
        expected: "index.js packages/kit/index.js",
        ..NONE
    },
    Case {
        name: ".cargo/registry",
        files: "/home/ci/work/pay/src/lib.rs#1,2,3 /home/ci/work/pay/src/fee/mod.rs#1 /home/ci/.cargo/registry/src/index-1949cf8c6b5b557f/tiny-1.0.4/src/lib.rs#3,331,332,339",
        listed: "Cargo.toml src/lib.rs src/fee/mod.rs",
        expected: "src/lib.rs src/fee/mod.rs -",
        ..NONE
    },
    Case {
        name: "Go dependency, one own file",
        files: "acme.org/pay/util/strings.go#3,4,5 other.org/lib/util/strings.go#3,4,5,90,91,92",
        listed: "util/strings.go go.mod",
        expected: "util/strings.go -",
        repository: "pay",
        ..NONE
    },
    Case {
        name: "gap",
        files: "/home/ci/build/gap/lib/combinat.g#27,28 /home/ci/build/gap/pkg/utils-0.57/lib/combinat.g#18,27 /home/ci/build/gap/lib/set.g#1",
        listed: "lib/combinat.g lib/set.g README.md",
        expected: "lib/combinat.g - lib/set.g",
        ..NONE
    },
    Case {
        name: "examples/*/src/index.ts",
        files: "/home/runner/work/kit/kit/src/index.ts /home/runner/work/kit/kit/src/only.ts /home/runner/work/kit/kit/examples/basic/src/index.ts",
        listed: "package.json src/index.ts src/only.ts examples/basic/src/index.ts examples/full/src/index.ts",
        expected: "src/index.ts src/only.ts examples/basic/src/index.ts",
        ..NONE
    },
    Case {
        name: "containers: apache",
        files: "/var/www/localhost/htdocs/emr/src/Svc/Facility.php /var/www/localhost/htdocs/emr/index.php",
        listed: "index.php src/Svc/Facility.php sites/default/index.php",
        expected: "src/Svc/Facility.php index.php",
        ..NONE
    },
    Case {
        name: "nginx",
        files: "/usr/share/nginx/html/emr/src/Svc/Facility.php",
        listed: "index.php src/Svc/Facility.php sites/default/index.php",
        expected: "src/Svc/Facility.php",
        ..NONE
    },
    Case {
        name: "only index.php, container path",
        files: "/var/www/html/index.php",
        listed: "index.php src/Svc/Facility.php sites/default/index.php",
        expected: "index.php",
        ..NONE
    },
    Case {
        name: "vendored",
        files: "example.org/svc/internal/operation/logger/logger.go example.org/svc/vendor/example.com/x/logger/logger.go",
        listed: "internal/operation/logger/logger.go go.mod",
        expected: "internal/operation/logger/logger.go -",
        ..NONE
    },
    Case {
        name: "JaCoCo, report of module dashboard",
        files: "com/acme/config/JettyConfig.java",
        listed: "dashboard/src/main/java/com/acme/config/JettyConfig.java delivery/src/main/java/com/acme/config/JettyConfig.java pom.xml",
        expected: "dashboard/src/main/java/com/acme/config/JettyConfig.java",
        report_folder: "dashboard/target/site/jacoco",
        ..NONE
    },
    Case {
        name: "report of module delivery",
        files: "com/acme/config/JettyConfig.java",
        listed: "dashboard/src/main/java/com/acme/config/JettyConfig.java delivery/src/main/java/com/acme/config/JettyConfig.java pom.xml",
        expected: "delivery/src/main/java/com/acme/config/JettyConfig.java",
        report_folder: "delivery/target/site/jacoco",
        ..NONE
    },
    Case {
        name: "aggregate with groups",
        files: "com/acme/config/JettyConfig.java|dashboard com/acme/config/JettyConfig.java|delivery",
        listed: "dashboard/src/main/java/com/acme/config/JettyConfig.java delivery/src/main/java/com/acme/config/JettyConfig.java pom.xml",
        expected: "dashboard/src/main/java/com/acme/config/JettyConfig.java delivery/src/main/java/com/acme/config/JettyConfig.java",
        ..NONE
    },
    Case {
        name: "groups named otherwise than the folders",
        files: "a/A.java|Pay_Dashboard a/B.java|Pay_Dashboard a/C.java|Pay_Dashboard a/X.java|Pay_Dashboard a/D.java|Pay_Delivery a/E.java|Pay_Delivery a/F.java|Pay_Delivery a/X.java|Pay_Delivery",
        listed: "dashboard/src/main/java/a/A.java dashboard/src/main/java/a/B.java dashboard/src/main/java/a/C.java dashboard/src/main/java/a/X.java delivery/src/main/java/a/D.java delivery/src/main/java/a/E.java delivery/src/main/java/a/F.java delivery/src/main/java/a/X.java",
        expected: "dashboard/src/main/java/a/A.java dashboard/src/main/java/a/B.java dashboard/src/main/java/a/C.java dashboard/src/main/java/a/X.java delivery/src/main/java/a/D.java delivery/src/main/java/a/E.java delivery/src/main/java/a/F.java delivery/src/main/java/a/X.java",
        ..NONE
    },
    Case {
        name: "two modules with the same class; the coverage file says which it measured",
        files: "com/x/X.java",
        listed: "app/src/com/x/X.java core/src/com/x/X.java",
        expected: "core/src/com/x/X.java",
        project: "core",
        ..NONE
    },
    Case {
        name: "aggregate without groups: X is in both",
        files: "a/A.java a/B.java a/C.java a/D.java a/E.java a/F.java a/X.java",
        listed: "dashboard/src/main/java/a/A.java dashboard/src/main/java/a/B.java dashboard/src/main/java/a/C.java dashboard/src/main/java/a/X.java delivery/src/main/java/a/D.java delivery/src/main/java/a/E.java delivery/src/main/java/a/F.java delivery/src/main/java/a/X.java",
        expected: "dashboard/src/main/java/a/A.java dashboard/src/main/java/a/B.java dashboard/src/main/java/a/C.java delivery/src/main/java/a/D.java delivery/src/main/java/a/E.java delivery/src/main/java/a/F.java -",
        ..NONE
    },
    Case {
        name: "LCOV relative to its package",
        files: "src/index.js src/util.js",
        listed: "packages/a/src/index.js packages/a/src/util.js packages/b/src/index.js packages/b/src/util.js packages/b/src/gen.js",
        expected: "packages/a/src/index.js packages/a/src/util.js",
        report_folder: "packages/a/coverage",
        ..NONE
    },
    Case {
        name: "and one of its files is generated, b has it in git",
        files: "src/index.js src/gen.js",
        listed: "packages/a/src/index.js packages/a/src/util.js packages/b/src/index.js packages/b/src/util.js packages/b/src/gen.js",
        expected: "packages/a/src/index.js -",
        report_folder: "packages/a/coverage",
        ..NONE
    },
    Case {
        name: "coverlet: source below the root",
        files: "Fee.cs Io/Log.cs",
        listed: "src/Pay/Fee.cs src/Pay/Io/Log.cs src/Web/Io/Log.cs Pay.sln",
        expected: "src/Pay/Fee.cs src/Pay/Io/Log.cs",
        sources: "/home/vsts/work/1/s/src/Pay/",
        ..NONE
    },
    Case {
        name: "/_/ beside an absolute path",
        files: "/_/src/Core/A.cs /_/src/Core/B.cs /home/runner/work/x/x/test/ATests.cs",
        listed: "src/Core/A.cs src/Core/B.cs test/ATests.cs",
        expected: "src/Core/A.cs src/Core/B.cs test/ATests.cs",
        ..NONE
    },
    Case {
        name: "main.go beside cmd/pay/main.go",
        files: "acme.org/pay/fee/fee.go acme.org/pay/main.go",
        listed: "fee/fee.go main.go go.mod cmd/pay/main.go",
        expected: "fee/fee.go main.go",
        ..NONE
    },
    Case {
        name: "absolute main.go, tools/gen/main.go",
        files: "/usr/src/myapp/main.go example.org/binarycov/greetings/greetings.go",
        listed: "main.go greetings/greetings.go go.mod tools/gen/main.go",
        expected: "main.go greetings/greetings.go",
        ..NONE
    },
    Case {
        name: "../s/",
        files: "../s/orchagent/main.cpp ../s/lib/util.cpp",
        listed: "orchagent/main.cpp lib/util.cpp tests/main.cpp",
        expected: "orchagent/main.cpp lib/util.cpp",
        sources: "/__w/1/sonic-gcov",
        ..NONE
    },
    Case {
        name: "--cov=package: main.py at the top too",
        files: "utils.py proxy/utils.py main.py",
        listed: "lite/utils.py lite/proxy/utils.py lite/main.py tests/utils.py main.py",
        expected: "lite/utils.py lite/proxy/utils.py lite/main.py",
        sources: "/home/runner/work/lite/lite/lite",
        ..NONE
    },
    Case {
        name: "the same without a source",
        files: "utils.py proxy/utils.py main.py",
        listed: "lite/utils.py lite/proxy/utils.py lite/main.py tests/utils.py main.py",
        expected: "lite/utils.py lite/proxy/utils.py lite/main.py",
        ..NONE
    },
    Case {
        name: "source /",
        files: "source/src/Device/Worker.cs source/src/Device/Program.cs",
        listed: "src/Device/Worker.cs src/Device/Program.cs",
        expected: "src/Device/Worker.cs src/Device/Program.cs",
        sources: "/",
        ..NONE
    },
    Case {
        name: "lower case",
        files: "work/pay/src/fee/feetable.cpp",
        listed: "src/Fee/FeeTable.cpp Pay.sln",
        expected: "src/Fee/FeeTable.cpp",
        sources: "f:",
        ..NONE
    },
    Case {
        name: "Kotlin: folders without the common package",
        files: "com/acme/pay/Main.kt com/acme/pay/fee/Fee.kt com/acme/pay/some/inner/Odd.kt",
        listed: "src/main/kotlin/Main.kt src/main/kotlin/fee/Fee.kt src/main/kotlin/com/acme/pay/Odd.kt",
        expected: "src/main/kotlin/Main.kt src/main/kotlin/fee/Fee.kt -",
        ..NONE
    },
    Case {
        name: "scoverage, the whole path of the statements",
        files: "/home/ci/pay/core/src/main/scala/Main.scala /home/ci/pay/core/src/main/scala/com/acme/Fee.scala",
        listed: "build.sbt core/src/main/scala/Main.scala core/src/main/scala/com/acme/Fee.scala web/src/main/scala/com/acme/Fee.scala",
        expected: "core/src/main/scala/Main.scala core/src/main/scala/com/acme/Fee.scala",
        ..NONE
    },
    Case {
        name: "scoverage, its filenames",
        files: "Main.scala com/acme/Fee.scala",
        listed: "build.sbt core/src/main/scala/Main.scala core/src/main/scala/com/acme/Fee.scala web/src/main/scala/com/acme/Fee.scala",
        expected: "core/src/main/scala/Main.scala core/src/main/scala/com/acme/Fee.scala",
        ..NONE
    },
    Case {
        name: "all files in a folder that exists twice, report in v2",
        files: "/app/src/a.py /app/src/b.py",
        listed: "v1/src/a.py v1/src/b.py v2/src/a.py v2/src/b.py",
        expected: "v2/src/a.py v2/src/b.py",
        report_folder: "v2",
        ..NONE
    },
    Case {
        name: "the same, report at the top",
        files: "/app/src/a.py /app/src/b.py",
        listed: "v1/src/a.py v1/src/b.py v2/src/a.py v2/src/b.py",
        expected: "- -",
        ..NONE
    },
    Case {
        name: "container with the code at /",
        files: "/src/app.py /src/db.py",
        listed: "src/app.py src/db.py lib/src/app.py",
        expected: "src/app.py src/db.py",
        ..NONE
    },
    Case {
        name: "repository with one file",
        files: "/home/runner/work/x/x/main.py",
        listed: "main.py",
        expected: "main.py",
        ..NONE
    },
    Case {
        name: "and a dependency with that name, root known",
        files: "/home/runner/work/x/x/main.py#1,2 /usr/lib/python3/site-packages/foo/main.py#7,8",
        listed: "main.py",
        expected: "main.py -",
        root: "/home/runner/work/x/x",
        ..NONE
    },
    Case {
        name: "the same, container without root, repository x",
        files: "/work/x/main.py#1,2 /usr/lib/python3/site-packages/foo/main.py#7,8",
        listed: "main.py",
        expected: "main.py -",
        repository: "x",
        ..NONE
    },
    Case {
        name: "generated, not in git",
        files: "/w/src/a.java /w/build/gen/src/Gen.java",
        listed: "src/a.java",
        expected: "src/a.java -",
        ..NONE
    },
    Case {
        name: "generated, its name is in git elsewhere",
        files: "/w/src/mod.rs#1,2,3 /w/src/b.rs#1 /w/target/debug/build/x-1/out/mod.rs#9",
        listed: "src/mod.rs src/b.rs",
        expected: "src/mod.rs src/b.rs -",
        ..NONE
    },
    Case {
        name: "one file only, container path, twice in git",
        files: "/app/src/index.ts",
        listed: "api/src/index.ts web/src/index.ts",
        expected: "-",
        ..NONE
    },
    Case {
        name: "symlink packages/shared -> ../shared",
        files: "/w/shared/x.ts#1,2 /w/packages/shared/x.ts#1,2 /w/a.ts#1",
        listed: "shared/x.ts packages/shared a.ts",
        expected: "shared/x.ts shared/x.ts a.ts",
        ..NONE
    },
    Case {
        name: "two sources, unique names",
        files: "a.py b.py",
        listed: "lib/a.py web/b.py",
        expected: "lib/a.py web/b.py",
        sources: "/w/lib /w/web",
        ..NONE
    },
    Case {
        name: "two sources, __init__.py in both",
        files: "__init__.py a.py c.py b.py",
        listed: "lib/__init__.py lib/a.py lib/c.py web/__init__.py web/b.py",
        expected: "- lib/a.py lib/c.py web/b.py",
        sources: "/w/lib /w/web",
        ..NONE
    },
    Case {
        name: "monorepo: job in backend/, list at the top",
        files: "src/a.py src/b.py",
        listed: "backend/src/a.py backend/src/b.py frontend/src/a.ts tools/src/a.py",
        expected: "backend/src/a.py backend/src/b.py",
        report_folder: "backend",
        ..NONE
    },
    Case {
        name: "the same with COPY backend /app",
        files: "/app/src/index.ts /app/src/api.ts /app/src/db.ts",
        listed: "backend/src/index.ts backend/src/api.ts backend/src/db.ts frontend/src/index.ts",
        expected: "backend/src/index.ts backend/src/api.ts backend/src/db.ts",
        ..NONE
    },
    Case {
        name: "vendored copy wins by mass",
        files: "src/a.c src/b.c src/c.c contrib/x0.c contrib/x1.c contrib/x2.c contrib/x3.c contrib/x4.c contrib/x5.c contrib/x6.c contrib/x7.c contrib/x8.c contrib/x9.c",
        listed: "src/a.c src/b.c src/c.c third_party/z/src/a.c third_party/z/contrib/x0.c third_party/z/contrib/x1.c third_party/z/contrib/x2.c third_party/z/contrib/x3.c third_party/z/contrib/x4.c third_party/z/contrib/x5.c third_party/z/contrib/x6.c third_party/z/contrib/x7.c third_party/z/contrib/x8.c third_party/z/contrib/x9.c",
        expected: "- src/b.c src/c.c third_party/z/contrib/x0.c third_party/z/contrib/x1.c third_party/z/contrib/x2.c third_party/z/contrib/x3.c third_party/z/contrib/x4.c third_party/z/contrib/x5.c third_party/z/contrib/x6.c third_party/z/contrib/x7.c third_party/z/contrib/x8.c third_party/z/contrib/x9.c",
        ..NONE
    },
    Case {
        name: "lcov -a of two workspaces (Jenkins @2)",
        files: "/ws/job/src/a.c#0-29 /ws/job/src/b.c#0-29 /ws/job/src/c.c#0-29 /ws/job@2/src/a.c#0-29 /ws/job@2/src/b.c#0-29",
        listed: "src/a.c src/b.c src/c.c",
        expected: "src/a.c src/b.c src/c.c src/a.c src/b.c",
        ..NONE
    },
    Case {
        name: "Windows drive in another case",
        files: "d:/a/pay/pay/src/Fee.cs",
        listed: "src/Fee.cs test/src/Fee.cs",
        expected: "src/Fee.cs",
        root: "D:/a/pay/pay",
        ..NONE
    },
    Case {
        name: "tox: installed package",
        files: "/w/.tox/py311/lib/python3.11/site-packages/pay/fee.py /w/.tox/py311/lib/python3.11/site-packages/pay/vat.py",
        listed: "src/pay/fee.py src/pay/vat.py tests/fee.py",
        expected: "src/pay/fee.py src/pay/vat.py",
        ..NONE
    },
    Case {
        name: "system header",
        files: "/w/src/a.cpp /w/src/b.cpp /usr/include/c++/12/bits/vec.h",
        listed: "src/a.cpp src/b.cpp third_party/x/bits/vec.h",
        expected: "src/a.cpp src/b.cpp -",
        ..NONE
    },
];
