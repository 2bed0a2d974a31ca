"""Checks proofs of payments after docs/decisions/0073 and Ethereum's own rules, with Python's standard library alone.

Reads a JSON array of {proof, claimed} from standard input. Writes a JSON array: null for a proof that does not hold, else
{number, timestamp, succeeded, logs, to, value}: what the header, the receipt and the transaction say.
"""

import json
import sys

from second_control import keccak

LIMIT = 256 * 1024


def need(holds):
    if not holds:
        raise ValueError


def item(data, at, end):
    """The RLP value at this place, in its shortest form only, and where it ends."""
    need(at < end)
    first = data[at]
    if first < 0x80:
        return data[at : at + 1], at + 1
    base = 0xC0 if first >= 0xC0 else 0x80
    size, start = first - base, at + 1
    if size > 55:
        digits = data[start : start + size - 55]
        start += size - 55
        size = int.from_bytes(digits, "big")
        need(digits[0] != 0 and size > 55)
    stop = start + size
    need(stop <= end)
    if base == 0x80:
        need(size != 1 or data[start] >= 0x80)
        return data[start:stop], stop
    values = []
    while start < stop:
        value, start = item(data, start, stop)
        values.append(value)
    return values, stop


def rlp(data):
    value, end = item(data, 0, len(data))
    need(end == len(data))
    return value


def integer(data):
    need(isinstance(data, bytes) and data[:1] != b"\0")
    return int.from_bytes(data, "big")


def key(index):
    size = (index.bit_length() + 7) // 8
    digits = index.to_bytes(size, "big")
    return digits if 0 < index < 0x80 else bytes([0x80 + size]) + digits


def follow(root, index, nodes):
    left = key(index).hex()
    for at, node in enumerate(nodes):
        need(keccak(node) == root)
        parts = rlp(node)
        if len(parts) == 17:
            root, left = parts[int(left[0], 16)], left[1:]
        else:
            path, root = parts
            digits = path.hex()
            need(digits[0] in "0123" and (digits[0] in "13" or digits[1] == "0"))
            digits, is_leaf = digits[2 if digits[0] in "02" else 1 :], digits[0] in "23"
            need(left.startswith(digits))
            left = left[len(digits) :]
            if is_leaf:
                need(left == "" and at == len(nodes) - 1)
                return root
        need(len(root) == 32)
    raise ValueError


def opened(raw):
    return (0, rlp(raw)) if raw[0] >= 0xC0 else (raw[0], rlp(raw[1:]))


def checked(proof, claimed):
    need(set(proof) == {"header", "receipt", "transaction"})
    texts = [proof["header"], *proof["receipt"], *(proof["transaction"] or [])]
    need(all(text[:2] == "0x" and text == text.lower() for text in texts))
    parts = [bytes.fromhex(text[2:]) for text in texts]
    need(sum(map(len, parts)) <= LIMIT)
    count = 1 + len(proof["receipt"])
    need("0x" + keccak(parts[0]).hex() == claimed["blockHash"])
    header = rlp(parts[0])
    said = {"number": integer(header[8]), "timestamp": integer(header[11])}
    kind, receipt = opened(follow(header[5], claimed["index"], parts[1:count]))
    status, gas, bloom, logs, *more = receipt
    need(len(bloom) == 256 and len(more) == (2 if more and kind == 0x7E else 0))
    said["succeeded"] = status == b"\x01"
    said["logs"] = [
        {"address": "0x" + a.hex(), "topics": ["0x" + t.hex() for t in topics], "data": "0x" + data.hex()}
        for a, topics, data in logs
    ]
    raw = follow(header[4], claimed["index"], parts[count:])
    need("0x" + keccak(raw).hex() == claimed["transactionHash"])
    of, fields = opened(raw)
    need(of == kind)
    to, value = {0: (3, 4), 1: (4, 5), 2: (5, 6), 3: (5, 6), 4: (5, 6), 0x7E: (2, 4)}[of]
    said["to"] = "0x" + fields[to].hex() if fields[to] else None
    said["value"] = str(integer(fields[value]))
    return said


def check(case):
    try:
        return checked(case["proof"], case["claimed"])
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
        return None


if __name__ == "__main__":
    json.dump([check(case) for case in json.load(sys.stdin)], sys.stdout)
