//! Notifies systemd, if it started the service with `Type=notify`.

use std::{
    env, io,
    os::{
        linux::net::SocketAddrExt,
        unix::net::{SocketAddr, UnixDatagram},
    },
};

/// The service accepts requests.
pub const READY: &str = "READY=1";

/// The service is stopping.
pub const STOPPING: &str = "STOPPING=1";

/// Notifies systemd if it expects that (`man sd_notify`). A failure is logged.
pub fn notify(state: &str) {
    #[expect(
        clippy::disallowed_methods,
        reason = "systemd sets it, it is no setting"
    )]
    let Some(socket) = env::var_os("NOTIFY_SOCKET") else {
        return;
    };
    if let Err(error) = send(socket.as_encoded_bytes(), state) {
        tracing::warn!(%error, state, "cannot notify systemd");
    }
}

fn send(socket: &[u8], state: &str) -> io::Result<()> {
    let address = match socket.strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name)?,
        None => SocketAddr::from_pathname(String::from_utf8_lossy(socket).as_ref())?,
    };
    UnixDatagram::unbound()?.send_to_addr(state.as_bytes(), &address)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn received(listening: UnixDatagram, socket: &[u8]) -> String {
        send(socket, READY).expect("sent");
        let mut text = [0; 64];
        let length = listening.recv(&mut text).expect("received");
        String::from_utf8_lossy(&text[..length]).into_owned()
    }

    #[test]
    fn systemd_is_notified_at_a_path_and_at_an_abstract_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notify");
        let listening = UnixDatagram::bind(&path).expect("a socket");
        assert_eq!(
            received(listening, path.as_os_str().as_encoded_bytes()),
            READY
        );
        let name = format!("coverage-dashboard-{:x}", rand::random::<u64>());
        let address = SocketAddr::from_abstract_name(&name).expect("a name");
        let listening = UnixDatagram::bind_addr(&address).expect("a socket");
        assert_eq!(received(listening, format!("@{name}").as_bytes()), READY);
    }
}
