"""Builds bundles from docs/bundle.md alone, with nothing but Python's standard library.

Reads a JSON array of inputs from standard input: {seed, version, key_id, message: {name, text} or null, receipt, tip}, or
with statement in place of receipt and tip, where key_id is "whole" or "short"; a receipt may have control. Writes a JSON array: {zip, manifest, signature, bundle_hash, key_id, public_key_pem}.
"""

import base64
import hashlib
import json
import struct
import sys
import zlib

# Ed25519, after RFC 8032, section 5.1.
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
BASE_Y = 4 * pow(5, -1, P) % P


def x_of(y):
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    return P - x if x & 1 else x


def add(a, b):
    p, q = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    r, s = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = q - p, s - r, s + r, q + p
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number, point):
    result = (0, 1, 1, 0)
    while number:
        if number & 1:
            result = add(result, point)
        point = add(point, point)
        number >>= 1
    return result


BASE = (x_of(BASE_Y), BASE_Y, 1, x_of(BASE_Y) * BASE_Y % P)


def packed(point):
    inverse = pow(point[2], -1, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def sha512(*parts):
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little")


def secret_of(seed):
    digest = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little")
    return (scalar & ~7 & (2**254 - 1)) | 2**254, digest[32:]


def public_of(seed):
    return packed(times(secret_of(seed)[0], BASE))


def sign(seed, message):
    scalar, prefix = secret_of(seed)
    r = sha512(prefix, message) % L
    point = packed(times(r, BASE))
    s = (r + sha512(point, public_of(seed), message) % L * scalar) % L
    return point + s.to_bytes(32, "little")


def canonical(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def sha256(content):
    return "0x" + hashlib.sha256(content).hexdigest()


def zip_of(files):
    contents, directory, offset = b"", b"", 0
    for name, content in sorted(files.items()):
        size = len(content)
        shared = struct.pack("<HHHHHIIIHH", 10, 0, 0, 0, 0x21, zlib.crc32(content), size, size, len(name), 0)
        entry = struct.pack("<I", 0x04034B50) + shared + name.encode() + content
        directory += struct.pack("<IH", 0x02014B50, 0x031E) + shared
        directory += struct.pack("<HHHII", 0, 0, 0, 0x81A40000, offset) + name.encode()
        contents += entry
        offset += len(entry)
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, len(files), len(files), len(directory), offset, 0)
    return contents + directory + end


def build(given):
    seed = bytes.fromhex(given["seed"])
    der = bytes.fromhex("302a300506032b6570032100") + public_of(seed)
    pem = f"-----BEGIN PUBLIC KEY-----\n{base64.b64encode(der).decode()}\n-----END PUBLIC KEY-----\n"
    whole_id = hashlib.sha256(der).hexdigest()
    files = {"public_key.pem": pem.encode()}
    if given["message"]:
        files[given["message"]["name"]] = given["message"]["text"].encode()
    if "statement" in given:
        subject = given["statement"]
        files["statement.json"] = canonical(subject)
        named = {"statement_id": subject["id"]}
    else:
        subject = given["receipt"]
        files |= {"receipt.json": canonical(subject), "tip.json": canonical(given["tip"])}
        if "control" in given:
            files["control.json"] = canonical(given["control"])
        named = {"receipt_id": subject["id"], "reference": subject["reference"]}
    manifest = {
        **named,
        "version": given["version"],
        "created_at": subject["created_at"],
        "key_id": whole_id if given["key_id"] == "whole" else whole_id[:16],
        "files": [{"name": name, "sha256": sha256(files[name]), "size": len(files[name])} for name in sorted(files)],
    }
    if given["version"] == 2:
        manifest |= {"algorithm": "ed25519", "project": subject["project"]}
    manifest = canonical(manifest)
    signature = sign(seed, manifest)
    bundle = zip_of({**files, "manifest.json": manifest, "manifest.sig": signature})
    return {
        "zip": base64.b64encode(bundle).decode(),
        "manifest": manifest.decode(),
        "signature": signature.hex(),
        "bundle_hash": sha256(bundle),
        "key_id": whole_id,
        "public_key_pem": pem,
    }


json.dump([build(given) for given in json.load(sys.stdin)], sys.stdout)
