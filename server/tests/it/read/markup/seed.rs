//! A service with a hostile name in every field that accepts free text.

use crate::harness::{Archive, TOKEN, TestServer, Upload};
use access::Tokens;
use domain::Timestamp;
use store::{Purpose, Scope, actor::Actor};

/// Hostile names.
pub const HOSTILE: [&str; 6] = [
    "</title><b id=x>",
    "\"><img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "'--></script></style></textarea><svg onload=alert(1)><b id=x>&lt;b&gt;",
    "=HYPERLINK(\"//evil.example\")",
    "A & B",
];

/// A name of the same kind and length without any character that is special in markup.
pub fn tame(name: &str) -> String {
    name.replace(['<', '>', '"', '\'', '&'], "w")
}

/// The service, with one name in all fields.
pub struct Seeded {
    pub server: TestServer,
    pub name: String,
    /// Two records of the branch with this name.
    pub records: [i64; 2],
    /// A token that may read the audit log.
    pub admin: String,
}

impl Seeded {
    /// Reading is protected, so readers see everything, and a proxy sends the name as its user.
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
        Self::on(server, name).await
    }

    /// The same on a service that may have other data.
    pub async fn on(server: TestServer, name: &str) -> Self {
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
        // An id contains no spaces.
        .header("x-request-id", &name.replace(' ', "/"))
        .authorization(Some(&format!("Bearer {token}")))
}

/// Uploads that are refused for each field, with a valid token and without one.
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

/// A coverage file with the name as its tool, folders, packages and files, and a folder of files without an index.
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
