"""Prints how large the module and the program of a wheel are, and what each adds to the wheel.

    size.py WHEEL
"""

import sys
import zipfile

with zipfile.ZipFile(sys.argv[1]) as wheel:
    members = sorted(wheel.infolist(), key=lambda member: -member.compress_size)
    print(f"{sum(member.compress_size for member in members) / 1e6:6.2f} MB in all, compressed")
    for member in members[:3]:
        print(f"{member.compress_size / 1e6:6.2f} MB of {member.file_size / 1e6:6.2f} MB: {member.filename}")
