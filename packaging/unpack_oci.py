#!/usr/bin/env python3
"""Unpacks an image as container programs do: from the index by digests. Each content is compared with its
digest.

    packaging/unpack_oci.py LAYOUT ROOT
"""

import gzip
import hashlib
import io
import json
import sys
import tarfile
from pathlib import Path

layout, root = Path(sys.argv[1]), Path(sys.argv[2])


def blob(descriptor):
    algorithm, digest = descriptor["digest"].split(":")
    content = (layout / "blobs" / algorithm / digest).read_bytes()
    if hashlib.sha256(content).hexdigest() != digest or len(content) != descriptor["size"]:
        sys.exit(f"{digest} is not what it is called")
    return content


assert json.loads((layout / "oci-layout").read_text())["imageLayoutVersion"] == "1.0.0"
(manifest,) = json.loads((layout / "index.json").read_text())["manifests"]
manifest = json.loads(blob(manifest))
config = json.loads(blob(manifest["config"]))
for descriptor, whole in zip(manifest["layers"], config["rootfs"]["diff_ids"], strict=True):
    layer = gzip.decompress(blob(descriptor))
    if f"sha256:{hashlib.sha256(layer).hexdigest()}" != whole:
        sys.exit("a layer is not what the configuration calls it")
    with tarfile.open(fileobj=io.BytesIO(layer)) as tar:
        tar.extractall(root, filter="fully_trusted") if hasattr(tarfile, "data_filter") else tar.extractall(root)
if config["config"]["Entrypoint"] != ["/tcpwhy"]:
    sys.exit("it does not start tcpwhy")
