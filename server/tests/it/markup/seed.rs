//! A service in which a name stands in every field that takes free text.

use crate::harness::{Archive, TOKEN, TestServer, Upload};
use domain::Timestamp;
use server::{
    auth::Tokens,
    store::{Purpose, Scope, actor::Actor},
};

/// What strangers may call things.
pub const HOSTILE: [&str; 6] = [
    "</title><b id=x>",
    "\"><img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "'--></script></style></textarea><svg onload=alert(1)><b id=x>&lt;b&gt;",
    "=HYPERLINK(\"//evil.example\")",
    "A & B",
];

/// A name of the same kind and length without anything that a markup could take for its own.
pub fn tame(name: &str) -> String {
    name.replace(['<', '>', '"', '\'', '&'], "w")
}

/// The service, with one name in everything.
pub struct Seeded {
    pub server: TestServer,
    pub name: String,
    /// Two records of the branch with that name.
    pub records: [i64; 2],
    /// What reads the audit log.
    pub admin: String,
}

impl Seeded {
    /// Reading is protected, so that its readers see all that anybody may see, and a proxy calls its user by the name.
    pub async fn with(name: &str) -> Self {
        let server = TestServer::start_with(&[
            "--upload-token",
            TOKEN,
            "--protect-reading",
            "--user-header",
            "x-user",
            "--trusted-proxies",
            "127.0.0.1",
        ])
        .await;
        let tokens = Tokens::new(None, server.store().await);
        let never = None::<Timestamp>;
        let by = Actor::service();
        let token = tokens.make(name, Purpose::Upload, &Scope::All, never, &by);
        let token = token.await.unwrap().token;
        let admin = tokens.make("admin", Purpose::Admin, &Scope::All, never, &by);
        let admin = admin.await.unwrap().token;
        let main = upload(name, &token, 3).with("branch_name", "main");
        main.with("commit_hash", "m1").accepted(&server).await;
        let mut records = [0; 2];
        for (record, covered) in records.iter_mut().zip([1, 2]) {
            let answer = upload(name, &token, covered)
                .with("commit_hash", &format!("c{covered}"))
                .accepted(&server)
                .await;
            *record = answer["coverage"]["id"].as_i64().unwrap();
        }
        refuse(name, &token, &server).await;
        Self {
            server,
            name: name.to_owned(),
            records,
            admin,
        }
    }
}

fn upload(name: &str, token: &str, covered: u32) -> Upload {
    Upload::of(archive(name, covered))
        .with("branch_name", name)
        .with("commit_author", name)
        // An id has no space in it.
        .header("x-request-id", &name.replace(' ', "/"))
        .authorization(Some(&format!("Bearer {token}")))
}

/// Every field that can be refused, by somebody with a good token and by a stranger.
async fn refuse(name: &str, token: &str, server: &TestServer) {
    let refused = [
        "org_name",
        "repo_name",
        "commit_hash",
        "language",
        "coverage_xml_file_name",
        "vcs_api_url",
    ];
    for field in refused {
        let upload = upload(name, token, 1).with(field, name);
        upload.clone().refused(server).await;
        upload.authorization(Some(name)).refused(server).await;
    }
}

/// A report whose tool, folders, packages and files have the name, with a folder of files that has no index.
fn archive(name: &str, covered: u32) -> Vec<u8> {
    let quoted = name
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;");
    let lines: String = (1..=4)
        .map(|n| {
            format!(
                "<line number=\"{n}\" hits=\"{}\"/>",
                i32::from(n <= covered)
            )
        })
        .collect();
    let class = |path: &str| {
        format!("<class name=\"{quoted}\" filename=\"{path}\"><lines>{lines}</lines></class>")
    };
    let (here, there) = (
        class(&format!("src/{quoted}/{quoted}.rs")),
        class(&format!("{quoted}.rs")),
    );
    let xml = format!(
        "<?xml version=\"1.0\"?><coverage version=\"{quoted}\" lines-covered=\"9\" lines-valid=\"9\" line-rate=\"0\">\
         <sources><source>/srv/{quoted}</source></sources>\
         <packages><package name=\"{quoted}\"><classes>{here}{there}</classes></package></packages></coverage>"
    );
    Archive::report("<title>A report</title>", &xml)
        .file(&format!("sub/{name}.txt"), "a file")
        .file(&format!("sub/{name}/a.txt"), "another one")
        .tar_gz()
}
