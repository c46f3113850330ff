#!/usr/bin/env python3
"""Writes a container image FROM scratch as an OCI archive, the same bytes from the same input.

    packaging/oci.py PROGRAM ARCHITECTURE VERSION SECONDS OUT.tar

`podman load -i OUT.tar`, `skopeo copy oci-archive:OUT.tar docker-daemon:tcpwhy:latest` and `docker load` (25
or newer) accept it.
https://github.com/opencontainers/image-spec/blob/main/image-layout.md
"""

import gzip
import hashlib
import io
import json
import sys
import tarfile
from datetime import datetime, timezone

NOBODY = 65534


def entry(name, size=0, mode=0o644, kind=tarfile.REGTYPE, seconds=0):
    info = tarfile.TarInfo(name)
    info.size, info.mode, info.type, info.mtime = size, mode, kind, seconds
    return info


def archive(files, seconds):
    """A tar of (name, content or None for a folder, mode)."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, content, mode in files:
            if content is None:
                tar.addfile(entry(name, mode=mode, kind=tarfile.DIRTYPE, seconds=seconds))
            else:
                tar.addfile(entry(name, len(content), mode, seconds=seconds), io.BytesIO(content))
    return out.getvalue()


def main():
    program, architecture, version, seconds, target = sys.argv[1:]
    seconds = int(seconds)
    with open(program, "rb") as file:
        program = file.read()
    # Captures from a pipe are stored in /tmp for charts.
    layer = archive([("captures", None, 0o755), ("tcpwhy", program, 0o755), ("tmp", None, 0o1777)], seconds)
    packed = gzip.compress(layer, 9, mtime=0)
    blobs = []

    def blob(content, media_type, **more):
        digest = hashlib.sha256(content).hexdigest()
        blobs.append((f"blobs/sha256/{digest}", content, 0o644))
        return {"mediaType": media_type, "digest": f"sha256:{digest}", "size": len(content), **more}

    def document(content, media_type, **more):
        return blob(json.dumps(content, separators=(",", ":"), sort_keys=True).encode(), media_type, **more)

    when = datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    platform = {"architecture": architecture, "os": "linux"}
    labels = {
        "org.opencontainers.image.source": "https://github.com/tcpwhy/tcpwhy",
        "org.opencontainers.image.licenses": "Apache-2.0 OR MIT",
        "org.opencontainers.image.version": version,
    }
    config = document(
        {
            **platform,
            "created": when,
            "config": {
                "Entrypoint": ["/tcpwhy"],
                "Env": ["LANG=C.UTF-8"],
                "Labels": labels,
                "User": f"{NOBODY}:{NOBODY}",
                "WorkingDir": "/captures",
            },
            "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}"]},
            "history": [{"created": when, "created_by": "packaging/oci.py"}],
        },
        "application/vnd.oci.image.config.v1+json",
    )
    manifest = document(
        {
            "schemaVersion": 2,
            "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "config": config,
            "layers": [blob(packed, "application/vnd.oci.image.layer.v1.tar+gzip")],
            "annotations": labels,
        },
        "application/vnd.oci.image.manifest.v1+json",
        platform=platform,
        annotations={"org.opencontainers.image.ref.name": version},
    )
    index = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": [manifest],
    }
    files = [
        ("blobs", None, 0o755),
        ("blobs/sha256", None, 0o755),
        *sorted(blobs),
        ("index.json", json.dumps(index, sort_keys=True).encode(), 0o644),
        ("oci-layout", b'{"imageLayoutVersion":"1.0.0"}', 0o644),
    ]
    with open(target, "wb") as file:
        file.write(archive(files, seconds))


main()
