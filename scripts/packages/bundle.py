#!/usr/bin/env python3
"""Unpacks an OCI image into a bundle that crun can start, for scripts/check-packages.sh.

    scripts/packages/bundle.py IMAGE.tar FOLDER DATA ADDRESS [COMMAND…]

The container has the network of this system, so its service listens on ADDRESS instead of a fixed port. It cannot write to its root.
Its only volume is the folder DATA. COMMAND replaces the command of the image.
"""

import io
import json
import pathlib
import sys
import tarfile


def main():
    image, folder, data, address, *command = sys.argv[1:]
    folder = pathlib.Path(folder)
    root = folder / "rootfs"
    root.mkdir(parents=True)
    with tarfile.open(image) as archive:

        def blob(digest):
            return archive.extractfile("blobs/" + digest.replace(":", "/")).read()

        index = json.load(archive.extractfile("index.json"))
        manifest = json.loads(blob(index["manifests"][0]["digest"]))
        config = json.loads(blob(manifest["config"]["digest"]))["config"]
        for layer in manifest["layers"]:
            with tarfile.open(fileobj=io.BytesIO(blob(layer["digest"]))) as files:
                files.extractall(root)
    # runc and docker create these; crun too, but not in a root that it cannot write to.
    for name in ("proc", "dev"):
        (root / name).mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps(bundle(config, data, address, command), indent=1))


def bundle(image, data, address, command):
    user, _, group = image["User"].partition(":")
    (volume,) = image["Volumes"]
    return {
        "ociVersion": "1.0.0",
        "process": {
            "user": {"uid": int(user), "gid": int(group)},
            "args": image["Entrypoint"] + (command or image["Cmd"]),
            "env": [each for each in image["Env"] if not each.startswith("COVERAGE_ADDR=")] + [f"COVERAGE_ADDR={address}"],
            "cwd": image["WorkingDir"],
            "noNewPrivileges": True,
        },
        "root": {"path": "rootfs", "readonly": True},
        "mounts": [
            {"destination": "/proc", "type": "proc", "source": "proc"},
            {"destination": "/dev", "type": "tmpfs", "source": "tmpfs", "options": ["mode=755"]},
            {"destination": volume, "type": "bind", "source": data, "options": ["bind", "rw"]},
        ],
        "linux": {"namespaces": [{"type": kind} for kind in ("mount", "pid", "ipc", "uts")]},
    }


main()
