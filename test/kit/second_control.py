"""Checks control.json of bundles after docs/bundle.md alone, with nothing but Python's standard library.

Reads a JSON array of bundles in Base64 from standard input. Writes a JSON array: null for a bundle without control.json,
else {listed, receiver, project, signed}: whether the manifest lists the file, it names the receiver and the project, and
for a signature of a key, whether that is the wallet's (null for a contract's).
"""

import base64
import hashlib
import io
import json
import sys
import zipfile

# secp256k1
P = 2**256 - 2**32 - 977
N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)


def add(a, b):
    if a is None or b is None:
        return a or b
    if a[0] == b[0]:
        if (a[1] + b[1]) % P == 0:
            return None
        slope = 3 * a[0] * a[0] * pow(2 * a[1], -1, P)
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, P)
    x = (slope * slope - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def times(number, point):
    result = None
    while number:
        if number & 1:
            result = add(result, point)
        point = add(point, point)
        number >>= 1
    return result


# Keccak-256, as Ethereum uses it: SHA-3 with the padding of before.
MASK = 2**64 - 1


def rotated(lane, by):
    return ((lane << by) | (lane >> (64 - by))) & MASK if by else lane


def permuted(state):
    rest = 1
    for _ in range(24):
        columns = [state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20] for x in range(5)]
        for x in range(5):
            mixed = columns[x - 1] ^ rotated(columns[(x + 1) % 5], 1)
            for y in range(0, 25, 5):
                state[x + y] ^= mixed
        x, y, lane = 1, 0, state[1]
        for step in range(24):
            x, y = y, (2 * x + 3 * y) % 5
            state[x + 5 * y], lane = rotated(lane, (step + 1) * (step + 2) // 2 % 64), state[x + 5 * y]
        for y in range(0, 25, 5):
            row = state[y : y + 5]
            for x in range(5):
                state[y + x] = row[x] ^ (~row[(x + 1) % 5] & MASK & row[(x + 2) % 5])
        for bit in range(7):
            if rest & 1:
                state[0] ^= 1 << (2**bit - 1)
            rest = rest << 1 ^ (0x171 if rest & 0x80 else 0)
    return state


def keccak(content):
    padded = bytearray(content) + b"\x01"
    padded += bytes(-len(padded) % 136)
    padded[-1] |= 0x80
    state = [0] * 25
    for start in range(0, len(padded), 136):
        for at in range(17):
            state[at] ^= int.from_bytes(padded[start + 8 * at : start + 8 * at + 8], "little")
        permuted(state)
    return b"".join(lane.to_bytes(8, "little") for lane in state[:4])


def signer(message, signature):
    text = message.encode()
    digest = keccak(b"\x19Ethereum Signed Message:\n" + str(len(text)).encode() + text)
    if len(signature) == 64:
        top = signature[32] >> 7
        signature = signature[:32] + bytes([signature[32] & 0x7F]) + signature[33:] + bytes([27 + top])
    if len(signature) != 65 or signature[64] not in (0, 1, 27, 28):
        return None
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:64], "big")
    if not (0 < r < N and 0 < s <= N // 2):
        return None
    square = (pow(r, 3, P) + 7) % P
    y = pow(square, (P + 1) // 4, P)
    if y * y % P != square:
        return None
    if y % 2 != signature[64] % 27 % 2:
        y = P - y
    inverse = pow(r, -1, N)
    point = add(
        times(s * inverse % N, (r, y)), times(-int.from_bytes(digest, "big") * inverse % N, G)
    )
    if point is None:
        return None
    return "0x" + keccak(point[0].to_bytes(32, "big") + point[1].to_bytes(32, "big"))[-20:].hex()


def check(bundle):
    files = zipfile.ZipFile(io.BytesIO(base64.b64decode(bundle)))
    if "control.json" not in files.namelist():
        return None
    content = files.read("control.json")
    control, tip = json.loads(content), json.loads(files.read("tip.json"))
    manifest = json.loads(files.read("manifest.json"))
    entry = {"name": "control.json", "sha256": "0x" + hashlib.sha256(content).hexdigest(), "size": len(content)}
    signed = None
    if control["method"] == "eip191":
        signed = signer(control["message"], bytes.fromhex(control["signature"][2:])) == control["wallet"]
    return {
        "listed": entry in manifest["files"],
        "receiver": tip["receiver_wallet"] == control["wallet"],
        "project": manifest["project"]["id"] == control["project"]["id"],
        "signed": signed,
    }


if __name__ == "__main__":
    json.dump([check(bundle) for bundle in json.load(sys.stdin)], sys.stdout)
