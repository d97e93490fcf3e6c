"""A self-signed certificate for servers of these tests."""

from __future__ import annotations

import json
import subprocess

from server_process import ROOT

PROGRAM = """
import { selfSigned } from './test/kit/self-signed.ts';
console.log(JSON.stringify(selfSigned(process.argv[1], { dns: [process.argv[1]] })));
"""


def self_signed(folder, name="localhost"):
    """Paths of a certificate and its key."""
    command = ["node", "--import", "tsx", "--input-type=module", "-e", PROGRAM, name]
    process = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    made = json.loads(process.stdout)
    paths = folder / "cert.pem", folder / "key.pem"
    for path, text in zip(paths, (made["cert"], made["key"])):
        path.write_text(text)
        path.chmod(0o600)
    return paths
