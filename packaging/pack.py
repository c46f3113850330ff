#!/usr/bin/env python3
"""Packs a folder into a .tar.gz or .zip. The same files give the same bytes on any machine and at any time.

    packaging/pack.py FOLDER OUT SECONDS
"""

import gzip
import os
import sys
import tarfile
import time
import zipfile

folder, target, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3])
top = os.path.basename(folder)


def files():
    for at, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(at, name)
            is_program = name in ("tcpwhy", "tcpwhy.exe")
            yield path, os.path.join(top, os.path.relpath(path, folder)), 0o755 if is_program else 0o644


if target.endswith(".zip"):
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for path, name, mode in files():
            info = zipfile.ZipInfo(name.replace(os.sep, "/"), time.gmtime(seconds)[:6])
            info.external_attr = mode << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3
            with open(path, "rb") as file:
                out.writestr(info, file.read())
else:
    with open(target, "wb") as raw, gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=9, mtime=seconds) as zipped:
        with tarfile.open(fileobj=zipped, mode="w", format=tarfile.USTAR_FORMAT) as out:
            for path, name, mode in files():
                info = tarfile.TarInfo(name)
                info.size, info.mode, info.mtime = os.path.getsize(path), mode, seconds
                with open(path, "rb") as file:
                    out.addfile(info, file)
