"""Write small made-up files in the layout of SEED's features, which is what their reader is tested on.

    python make_seed_files.py OUT_DIR        (the repository's crates/pfcvm-io/tests/seed)

SEED itself is under licence; nothing here comes from it but names and shapes. Values follow formulas of
their places (`value`, `count_up`), which the tests know too; test_seed_files.py checks them with SciPy's
own reader. What SciPy cannot write (the big end first, doubles stored as small integers) is put together
by `Writer`.
"""
import io
import struct
import sys
import zlib
from pathlib import Path

import numpy as np
from scipy.io import savemat
from scipy.sparse import csc_array

LABELS = [1, 0, -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 0, 1, -1]
# Element types: number and NumPy's name.
TYPES = {"i1": 1, "u1": 2, "i2": 3, "u2": 4, "i4": 5, "u4": 6, "f4": 7, "f8": 9, "i8": 12, "u8": 13}
DOUBLE_CLASS = 6


def windows(clip):
    """Windows of time in a made-up clip."""
    return 1 + clip % 3


def value(session, clip, channel, window, band):
    """The value at a place; all but the clip count from 0. Whole, and -128 at least and 127 at most."""
    return (7 * session + 31 * clip + 11 * channel + 5 * window + 3 * band) % 256 - 128


def clip_values(session, clip):
    """All values of a clip. Those of session 1 are no whole numbers, so that no digit can be lost."""
    shape = (62, windows(clip), 5)
    values = np.fromfunction(lambda c, t, b: value(session, clip, c, t, b), shape)
    return values / 10 if session == 1 else values


def count_up(dtype, *shape):
    """1, 2, 3, … with the first index running fastest."""
    return np.arange(1, 1 + np.prod(shape), dtype=dtype).reshape(shape, order="F")


def dated(file_bytes):
    """The same file without the time it was made at, so that a second run writes the same."""
    text = b"MATLAB 5.0 MAT-file, made up in the layout of SEED".ljust(116)
    return text + file_bytes[116:]


def saved(variables, compress):
    out = io.BytesIO()
    savemat(out, variables, do_compression=compress)
    return dated(out.getvalue())


class Writer:
    """A file element by element, in either byte order."""

    def __init__(self, order):
        self.order = order
        self.bytes = b" " * 116 + bytes(8) + struct.pack(order + "HH", 0x0100, 0x4D49)

    def element(self, name, values):
        """One element; up to four bytes go into the tag, as MATLAB has it."""
        data = np.asarray(values).astype(self.order + name).tobytes()
        if 0 < len(data) <= 4:
            return struct.pack(self.order + "I", len(data) << 16 | TYPES[name]) + data.ljust(4, b"\0")
        return struct.pack(self.order + "II", TYPES[name], len(data)) + data + bytes(-len(data) % 8)

    def add(self, name, array, stored, compress=False):
        body = self.element("u4", [DOUBLE_CLASS, 0]) + self.element("i4", array.shape)
        body += self.element("i1", list(name.encode())) + self.element(stored, array.flatten(order="F"))
        element = struct.pack(self.order + "II", 14, len(body)) + body
        if compress:
            packed = zlib.compress(element)
            element = struct.pack(self.order + "II", 15, len(packed)) + packed
        self.bytes += element


def like_seed(session):
    """The variables of a session: those that are read among some that are not."""
    variables = {}
    for clip in range(1, 16):
        variables[f"de_movingAve{clip}"] = np.full((62, windows(clip), 5), 0.1)
        variables[f"de_LDS{clip}"] = clip_values(session, clip)
        variables[f"dasm_LDS{clip}"] = np.zeros((27, windows(clip), 5))
    return variables


def small_types(order):
    """A session with doubles stored in every type that holds them, some packed."""
    writer = Writer(order)
    session = {"<": 2, ">": 3}[order]
    for clip in range(1, 16):
        writer.add(f"psd_LDS{clip}", count_up(float, 2, 2, 2), "u1", compress=clip % 2 == 0)
        stored = ["i1", "i2", "i4", "i8", "f4"][clip % 5] if clip > 1 else "f8"
        writer.add(f"de_LDS{clip}", clip_values(session, clip), stored, compress=clip % 2 == 1 or stored != "i1")
    return writer.bytes


def kinds():
    """One variable of every kind, and one of every numeric class that counts up."""
    variables = {name: count_up(dtype, 3, 2, 2) for name, dtype in (
        ("double", "f8"), ("single", "f4"), ("int8", "i1"), ("uint8", "u1"), ("int16", "i2"),
        ("uint16", "u2"), ("int32", "i4"), ("uint32", "u4"), ("int64", "i8"), ("uint64", "u8"))}
    cell = np.empty(2, dtype=object)
    cell[:] = [np.ones(3), "text"]
    return variables | {
        "five": count_up(float, 2, 1, 2, 1, 3), "tiny": count_up("i2", 1, 2), "none": np.zeros((0, 3)),
        "logical": np.array([[True, False, True]]), "complex": np.ones((2, 2)) * 1j, "cell": cell,
        "structure": {"field": np.ones(2)}, "text": "words", "sparse": csc_array(np.eye(3))}


def main(out_dir):
    out = Path(out_dir)
    (out / "features").mkdir(parents=True, exist_ok=True)
    packed = saved(like_seed(1), True)
    files = {
        "features/label.mat": saved({"label": np.array([LABELS], dtype="i2")}, False),
        "features/1_20131027.mat": packed,
        "features/2_20140404.mat": small_types("<"),
        "features/10_20131130.mat": small_types(">"),
        "kinds.mat": saved(kinds(), False),
        "kinds_packed.mat": saved(kinds(), True),
        "cut.mat": packed[:1500],
        # What a file of version 7.3 begins with: a header of its own, then HDF5.
        "v73.mat": b"MATLAB 7.3 MAT-file".ljust(116) + bytes(8) + b"\0\2IM" + bytes(384) + b"\x89HDF\r\n\x1a\n",
    }
    for name, file_bytes in files.items():
        (out / name).write_bytes(file_bytes)
        print(len(file_bytes), name)


if __name__ == "__main__":
    main(sys.argv[1])
