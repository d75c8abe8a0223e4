//! The coverage tools of each language, with commands that write an HTML report and a coverage file. `tools.json` has them.

use serde::Deserialize;
use std::{collections::HashMap, sync::LazyLock};

/// A language with its coverage tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolLanguage {
    /// The key in an address and in the parameter `language`.
    pub key: String,
    /// The name.
    pub name: String,
    /// Its tools, the most widely used first.
    pub tools: Vec<Tool>,
}

/// A tool that measures coverage.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Tool {
    /// The key in an address.
    pub key: String,
    /// The name.
    pub name: String,
    /// The commands that install what the tests need, or build them, one per line; may be empty.
    #[serde(default)]
    pub before: String,
    /// The commands that run the tests and write the HTML report and the coverage file, one per line.
    pub commands: String,
    /// The files to pack.
    pub packed: String,
    /// The coverage file.
    pub report: String,
    /// The coverage files to upload, if the tool also writes others; may be empty.
    #[serde(default)]
    pub files: String,
    /// The name of the coverage file's format.
    pub format: String,
    /// What to set up before; may be empty.
    #[serde(default)]
    pub note: String,
    /// Where the tests run.
    #[serde(skip)]
    pub runtime: Runtime,
    #[serde(rename = "runtime")]
    runtime_key: String,
}

impl Tool {
    /// All commands of a job, one per line.
    pub fn tests(&self) -> String {
        let all = [&self.before[..], &self.commands].into_iter();
        all.filter(|text| !text.is_empty())
            .collect::<Vec<_>>()
            .join("\n")
    }
}

/// What a job needs before the commands of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Runtime {
    /// A container image that has it, with curl, tar and git.
    pub image: String,
    /// The commands that complete this image, one per line; may be empty.
    #[serde(default)]
    pub prepare: String,
    /// The steps for a virtual machine of GitHub or Gitea Actions, in YAML; may be empty.
    #[serde(default)]
    pub setup: String,
}

/// All languages, sorted by name.
pub static LANGUAGES: LazyLock<Vec<ToolLanguage>> = LazyLock::new(|| {
    #[derive(Deserialize)]
    struct Listed {
        key: String,
        name: String,
        tools: Vec<String>,
    }
    #[derive(Deserialize)]
    struct File {
        tools: Vec<Tool>,
        runtimes: HashMap<String, Runtime>,
        languages: Vec<Listed>,
    }
    let mut file: File = serde_json::from_str(include_str!("tools.json")).expect("tools.json");
    for tool in &mut file.tools {
        tool.runtime = file.runtimes[&tool.runtime_key].clone();
    }
    let tool = |key: &String| {
        let found = file.tools.iter().find(|tool| tool.key == *key);
        found.expect("a tool of the list").clone()
    };
    let languages = file.languages.into_iter().map(|language| ToolLanguage {
        tools: language.tools.iter().map(tool).collect(),
        key: language.key,
        name: language.name,
    });
    languages.collect()
});

impl ToolLanguage {
    /// Returns the language with this key.
    pub fn find(key: &str) -> Option<&'static Self> {
        LANGUAGES.iter().find(|language| language.key == key)
    }

    /// Returns the tool with this key, or the first tool.
    pub fn tool(&self, key: &str) -> Option<&Tool> {
        let named = self.tools.iter().find(|tool| tool.key == key);
        named.or(self.tools.first())
    }
}
