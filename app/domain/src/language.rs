//! The language that the endings of source files stand for.

/// Returns the language of an ending such as `rs`; `None` if it is not known. `has` says whether other measured files end in one of
/// some endings: JavaScript beside TypeScript counts as TypeScript, and C beside C++ as C++.
#[must_use]
pub fn language_of_ending(ending: &str, has: impl Fn(&[&str]) -> bool) -> Option<&'static str> {
    Some(match ending {
        "js" | "jsx" | "mjs" | "cjs" | "vue" | "svelte" | "ts" | "tsx" | "mts" => {
            match has(&["ts", "tsx", "mts"]) {
                true => "typescript",
                false => "javascript",
            }
        }
        "c" | "cc" | "cpp" | "cxx" | "hpp" => match has(&["cc", "cpp", "hpp", "cxx"]) {
            true => "c++",
            false => "c",
        },
        "rs" => "rust",
        "py" => "python",
        "rb" => "ruby",
        "kt" => "kotlin",
        "cs" => "c#",
        "fs" => "f#",
        "ex" => "elixir",
        "go" => "go",
        "java" => "java",
        "scala" => "scala",
        "groovy" => "groovy",
        "php" => "php",
        "vb" => "vb",
        "swift" => "swift",
        "dart" => "dart",
        "lua" => "lua",
        _ => return None,
    })
}
