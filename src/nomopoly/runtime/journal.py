"""The journal: one game as a sequence of entries, append-only and hash-chained.

A line is a dict: `n`, `at` (ISO 8601, UTC), `kind`, `by`, `do`, `args`, and `entropy` (the entry's randomness), `limit`
(if it ran into one), `out` (hash of its outcome), `prev` (hash of the line before), `hash` (of this line without
`hash`). What follows from an entry is not in the journal: it is computed.
"""

from __future__ import annotations

import contextlib
import datetime
import errno
import fcntl
import gzip
import hashlib
import json
import os
import re
import tarfile
import zlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from nomopoly.errors import CommandError
from nomopoly.runtime.shape import misshapen

Line = dict[str, Any]
WANTED = {"n", "at", "kind", "out", "prev", "hash"}
WANTED_OF_A_COPY = {"n", "prev", "hash"}
FIRST_HASH = "0" * 64
MOST_WAITING = 1000  # lines written together
LARGEST = (
    ("NOMOPOLY_JOURNAL_MB", 1024),
    ("NOMOPOLY_LINE_MB", 8),
)  # a file that is read, and a line of it, in megabytes
_decode = json.JSONDecoder().decode


def _read_again(data: Any) -> Any:
    """What has been written already (see `written`), for an encoder that cannot put it in as it is."""
    if Written is None or type(data) is not Written:
        raise TypeError(f"{type(data).__name__} is no plain data")
    return _decode_quickly(data)


_encode = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, check_circular=False, default=_read_again
).encode


def _encode_bytes(data: Any) -> bytes:
    return _encode(data).encode()


def _decode_bytes(raw: bytes | str) -> Any:
    return _decode(raw if isinstance(raw, str) else raw.decode())


try:
    import msgspec

    _encode_quickly = msgspec.json.Encoder(order="deterministic").encode
    _decode_quickly = msgspec.json.Decoder().decode
    Written: Any = msgspec.Raw
except ImportError:  # it takes longer and comes to the same
    _encode_quickly, _decode_quickly = _encode_bytes, _decode_bytes  # type: ignore[assignment]
    Written = None


class JournalError(CommandError):
    """A journal that cannot be read or continued; the message names the line or entry and says what to do."""


class MovedOn(JournalError):
    """Another writer has appended to the journal meanwhile: nothing was written. Load the game again."""


def encoded(data: Any) -> bytes:
    """Data as canonical JSON, in UTF-8; half a character is written as it is."""
    return _encode(data).encode("utf-8", "surrogatepass")


def encoded_quickly(data: Any) -> bytes:
    """The same, several times as fast, for data without fractions; falls back on the other where it must."""
    try:
        return _encode_quickly(data)
    except (TypeError, OverflowError, UnicodeEncodeError):
        return encoded(data)


def written(data: Any) -> Any:
    """Data that stands in others as JSON already, so that it is written once for all of them; None where it cannot."""
    try:
        return Written(_encode_quickly(data)) if Written is not None else None
    except (TypeError, OverflowError, UnicodeEncodeError):
        return None


def canonical(data: Any) -> str:
    """Data as JSON text that is the same everywhere: keys sorted, no blanks."""
    return _encode(data)


def digest(data: Any) -> str:
    """SHA-256 of data as canonical JSON, as hex text."""
    return hashlib.sha256(_encode(data).encode("utf-8", "surrogatepass")).hexdigest()


def packed(data: Any) -> bytes:
    """Plain data in few bytes, for a cache."""
    try:
        return _encode_quickly(data)
    except UnicodeEncodeError:  # half a character: rules may make one
        return _encode(data).encode("utf-8", "surrogatepass")


def unpacked(raw: bytes) -> Any:
    """The data that `packed` was given; tuples have become lists."""
    try:
        return _decode_quickly(raw)
    except ValueError:
        return _decode(raw.decode("utf-8", "surrogatepass"))


def as_written(data: Any) -> Any:
    """Data as whoever reads the journal will find it: its parts in the order of their names, and lists for tuples."""
    try:
        return _decode_quickly(_encode_quickly(data))
    except (TypeError, OverflowError, ValueError):
        return unpacked(encoded(data))


def digest_of_whole(data: Any) -> str:
    """The same, eight times as fast, for data without fractions: the one thing that is written otherwise here."""
    try:
        return hashlib.sha256(_encode_quickly(data)).hexdigest()
    except (TypeError, UnicodeEncodeError):  # half a character
        return digest(data)


def seal(line: Line, prev: str) -> Line:
    """Chain a line to the one before and give it its hash."""
    line["prev"] = prev
    line.pop("hash", None)
    line["hash"] = digest(line)
    return line


PLAIN = frozenset({str, int, bool, type(None)})  # what both encoders write alike
NESTING = frozenset({dict, list, tuple})


def is_written_alike(data: Any, depth: int = 8) -> bool:
    """Whether both encoders write plain data alike: without fractions, under names that are words, and not nested too
    deep."""
    if type(data) is dict:
        for name in data:
            if type(name) is not str:
                return False
        data = data.values()
    for part in data:
        sort = type(part)
        if sort not in PLAIN and (depth <= 0 or sort not in NESTING or not is_written_alike(part, depth - 1)):
            return False
    return True


def sealed_bytes(line: Line, prev: str) -> bytes:
    """Seal a line and return it as canonical JSON, for `append`: encoded once, since that is what takes the time."""
    line["prev"] = prev
    line.pop("hash", None)
    quickly = "draws" not in line and is_written_alike(line["args"])
    data = encoded_quickly(line) if quickly else encoded(line)
    line["hash"] = hashlib.sha256(data).hexdigest()
    at = data.rindex(b',"kind":')  # where the hash belongs; nothing after it holds words of anybody's
    return b'%b,"hash":"%b"%b' % (data[:at], line["hash"].encode(), data[at:])


def unaltered(line: Line) -> bool:
    """Whether the hash of a line is that of all the rest of it."""
    rest = {key: line[key] for key in line if key != "hash"}
    return bool(
        digest_of_whole(rest) == line["hash"] or digest(rest) == line["hash"]
    )  # the first may differ in fractions


def iso(moment: int) -> str:
    """A moment (seconds since 1970) as the journal writes it."""
    return as_known(iso_minute(moment // 60) + SECONDS[moment % 60], moment)


SECONDS = [f":{second:02}Z" for second in range(60)]  # how a moment ends
SECOND = {end: second for second, end in enumerate(SECONDS)}


@lru_cache
def iso_minute(minute: int) -> str:
    """A minute (counted from 1970) as the journal writes it."""
    day, minute = divmod(minute, 1440)
    date = datetime.date(1970, 1, 1) + datetime.timedelta(day)
    return f"{date.isoformat()}T{minute // 60:02}:{minute % 60:02}"


def encoded_as_text(data: Any) -> bool:
    """Whether plain data holds whole characters alone. It is written down to see that, which is quickest."""
    try:
        _encode_quickly(data)
    except UnicodeEncodeError:
        return False
    except (TypeError, OverflowError):
        return encodable(data)
    return True


def encodable(data: Any) -> bool:
    """Whether all text in data can be written down.

    Half a pair of surrogates cannot, and interpreters differ there; nor can NUL, in some databases.
    """
    try:
        try:
            written = _encode_quickly(data)
        except TypeError:  # it wants keys to be words
            written = json.dumps(data, default=str, skipkeys=True, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return b"\\u0000" not in written or NUL.search(written) is None


NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")  # as JSON writes it


def seconds_of(text: str) -> int:
    """A moment in ISO 8601 as seconds since 1970. Raises ValueError if it is none."""
    if text[10:16:3] == "T:" and text[16:] in SECOND:
        return start_of(text[:16]) + SECOND[text[16:]]
    return int(datetime.datetime.fromisoformat(text).timestamp())


@lru_cache
def start_of(minute: str) -> int:
    """When a minute as `iso_minute` writes it begins, in seconds since 1970. Raises ValueError if it is none."""
    return int(datetime.datetime.fromisoformat(f"{minute}Z").timestamp())


def moment_of(text: str) -> int:
    """The moment that `iso` wrote. Raises JournalError if it is none."""
    try:
        moment = KNOWN.get(text)
        if moment is None:
            moment = seconds_of(text)
            as_known(text, moment)
    except (TypeError, ValueError) as error:
        raise JournalError(f"not a moment: {text!r} (wanted: 2026-03-05T00:00:00Z)") from error
    return moment


KNOWN: dict[str, int] = {}  # moments that were written or read last: the same few are asked for again and again
MOST_KNOWN = 1000


def as_known(text: str, moment: int) -> str:
    """Remember what a moment is as text, until there are too many. Returns the text."""
    if len(KNOWN) >= MOST_KNOWN:
        KNOWN.clear()
    KNOWN[text] = moment
    return text


class Journal(Protocol):
    """Where a game's lines are kept; files, memory and the site's database do it alike."""

    def append(self, line: Line, data: bytes | None = None) -> None:
        """Add one sealed line; it is kept when this returns. Raises JournalError if it does not follow the last one.

        `data`: what `sealed_bytes` has made of it.
        """

    def lines(self, start: int = 0) -> Iterator[Line]:
        """The lines from entry `start` on."""

    def last(self) -> Line | None:
        """The last line, or None of an empty journal."""

    def lock(self) -> contextlib.AbstractContextManager[Any]:
        """Hold this while deciding on and appending an entry, so that two writers never branch the chain."""


def check_follows(line: Line, last: Line | None) -> None:
    """Raise JournalError unless `line` continues a journal that ends with `last`."""
    n, prev = (last["n"] + 1, last["hash"]) if last else (0, FIRST_HASH)
    if line["n"] != n or line["prev"] != prev:
        raise MovedOn(f"entry {line['n']} does not follow the last entry {n - 1}: load the game again")


class MemoryJournal:
    """A journal in memory, for tests, scenarios and trials."""

    def __init__(self, lines: list[Line] | None = None) -> None:
        self._lines = list(lines or [])

    def append(self, line: Line, data: bytes | None = None) -> None:
        """Add one sealed line."""
        check_follows(line, self.last())
        self._lines.append(line)

    def lines(self, start: int = 0) -> Iterator[Line]:
        """The lines from entry `start` on."""
        return iter(self._lines[start:])

    def last(self) -> Line | None:
        """The last line, or None."""
        return self._lines[-1] if self._lines else None

    def lock(self) -> contextlib.AbstractContextManager[Any]:
        """Nobody else writes to it."""
        return contextlib.nullcontext()


class FileJournal:
    """A journal in a file of JSON lines, one writer at a time.

    `durable` (the default) flushes each entry to the disk before `append` returns; a program that writes many entries
    which can be made again (a simulation) may turn it off, and hold `lock` meanwhile: they are then written together.
    A last line that a crash cut off is put aside as `<name>.torn`: its entry was never acknowledged.
    """

    def __init__(self, path: Path | str, *, durable: bool = True) -> None:
        self.path = Path(path)
        self._durable = durable
        self._file = open(self.path, "a+b", buffering=0)  # noqa: SIM115 - closed by close()
        self._last: Line | None = None
        self._size = -1
        self._held = 0  # how many times over the lock is held
        self._waiting: list[bytes] = []
        self._written = False  # whether lines are written that are not flushed yet
        self._refresh()

    def _refresh(self) -> None:
        """Read the last line again if another writer has appended."""
        size = os.lseek(self._file.fileno(), 0, os.SEEK_END)
        if size == self._size:
            return
        self._mend(size)
        size = os.fstat(self._file.fileno()).st_size
        tail = self._tail(size)
        self._last = parse_line(tail, self.path.name) if tail else None
        self._size = size

    def _mend(self, size: int) -> None:
        """Put aside a last line without its end."""
        if size == 0:
            return
        if os.pread(self._file.fileno(), 1, size - 1) == b"\n":
            return
        tail = self._tail(size)
        self.path.with_suffix(self.path.suffix + ".torn").write_bytes(tail)
        os.ftruncate(self._file.fileno(), size - len(tail))

    def _tail(self, size: int) -> bytes:
        """The bytes of the last line, read backwards."""
        step = 8192
        while True:
            start = max(0, size - step)
            block = os.pread(self._file.fileno(), size - start, start)
            cut = block.rstrip(b"\n").rfind(b"\n")
            if cut >= 0 or start == 0:
                return block[cut + 1 :]
            step *= 4

    def append(self, line: Line, data: bytes | None = None) -> None:
        """Add one sealed line; it is on the disk when this returns (if durable)."""
        check_follows(line, self._last)
        self._waiting.append(data or _encode(line).encode("utf-8", "surrogatepass"))
        if self._durable or self._held < 2 or len(self._waiting) > MOST_WAITING:
            self._write(line["n"])
        self._last = line

    def _write(self, n: int, to_disk: bool = False) -> None:
        """Write the lines that wait, of which the last is entry `n`; to the disk, if durable or asked for."""
        waiting, self._waiting = self._waiting, []
        data = b"\n".join([*waiting, b""])
        try:
            if os.write(self._file.fileno(), data) != len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            self._written = True
            if self._durable or to_disk:
                self._to_disk()
        except OSError as error:
            os.ftruncate(self._file.fileno(), self._size)
            self._size = -1
            self._refresh()
            raise JournalError(f"{self.path}: {error.strerror}; entry {n} was not kept") from error
        self._size += len(data)

    def flush(self) -> None:
        """Write what waits, and see to it that all is on the disk."""
        if self._waiting and self._last:
            self._write(self._last["n"], to_disk=True)
        elif self._written:
            self._to_disk()

    def _to_disk(self) -> None:
        os.fsync(self._file.fileno())
        self._written = False

    def lines(self, start: int = 0) -> Iterator[Line]:
        """The lines from entry `start` on."""
        if self._waiting and self._last:
            self._write(self._last["n"])
        with open(self.path, "rb") as file:
            for number, raw in enumerate(file):
                if number >= start:
                    yield parse_line(raw, f"{self.path.name} line {number + 1}")

    def last(self) -> Line | None:
        """The last line, or None."""
        return self._last

    def lock(self) -> contextlib.AbstractContextManager[Any]:
        """Keep other processes from writing."""
        return self

    def __enter__(self) -> None:
        self._held += 1
        if self._held > 1:
            return
        fcntl.flock(self._file, fcntl.LOCK_EX)
        try:
            self._refresh()
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *raised: object) -> None:
        self._held -= 1
        if not self._held:
            try:
                if self._waiting and self._last:
                    self._write(self._last["n"])
            finally:
                fcntl.flock(self._file, fcntl.LOCK_UN)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def is_whole(line: Line) -> bool:
    """Whether a line is that of a game, and not one as shown to a viewer or withheld."""
    return "shown" not in line and "withheld" not in line


def parse_line(raw: bytes | str, where: str) -> Line:
    """One line of a journal file. Raises JournalError that names the place."""
    try:
        try:
            line = _decode_quickly(raw)
        except (ValueError, RecursionError):  # it is stricter
            line = _decode_bytes(raw)
    except (ValueError, RecursionError) as error:
        raise JournalError(f"{where}: not a journal entry (damaged or cut off)") from error
    if not isinstance(line, dict) or not (WANTED if is_whole(line) else WANTED_OF_A_COPY) <= line.keys():
        raise JournalError(f"{where}: not a journal entry (n, at, kind, out, prev and hash are wanted)")
    return line


def is_archive(path: Path | str) -> bool:
    """Whether a file holds several ones, as a backup and a game that moves do, and is no journal."""
    with contextlib.suppress(EOFError, OSError, zlib.error):  # a damaged file: whoever reads it as a journal says so
        return tarfile.is_tarfile(path)
    return False


def read_file(path: Path | str) -> Iterator[Line]:
    """The lines of an exported journal (JSON lines, gzipped or not), one after the other.

    Raises JournalError where the file is missing, damaged, cut off, not a journal, or larger than a journal may be
    (NOMOPOLY_JOURNAL_MB and NOMOPOLY_LINE_MB, in megabytes, when unpacked).
    """
    whole, longest = (int(float(os.environ.get(name) or most) * 2**20) for name, most in LARGEST)
    where = Path(path)
    if is_archive(where):
        raise JournalError(
            f"{where}: no journal, but a game that moves, or a whole site: `nomopoly import` or `nomopoly restore` "
            "takes it"
        )
    try:
        with open(where, "rb") as file:
            zipped = file.read(2) == b"\x1f\x8b"
        with gzip.open(where, "rb") if zipped else open(where, "rb") as file:
            number = 0
            while raw := file.readline(longest + 1):
                number += 1
                whole -= len(raw)
                if len(raw) > longest:
                    raise JournalError(
                        f"{where} line {number}: longer than {longest} bytes: set NOMOPOLY_LINE_MB higher"
                    )
                if whole < 0:
                    raise JournalError(
                        f"{where} line {number}: too large when unpacked: set NOMOPOLY_JOURNAL_MB higher"
                    )
                if not raw.endswith(b"\n"):
                    raise JournalError(f"{where}: cut off in line {number}")
                line = parse_line(raw, f"{path} line {number}")
                if problem := misshapen(line, raw):
                    raise JournalError(f"{where} line {number}: not a journal entry: {problem}")
                yield line
            if not number:
                raise JournalError(f"{where}: empty: not a journal")
    except FileNotFoundError as error:
        raise JournalError(f"{where}: there is no such file") from error
    except IsADirectoryError as error:
        raise JournalError(f"{where}: a folder, not a journal") from error
    except (OSError, EOFError, zlib.error) as error:
        raise JournalError(f"{where}: damaged or cut off ({error})") from error


def write_file(path: Path | str, lines: Iterator[Line]) -> int:
    """Write lines as one gzipped file that is the same for the same journal. Returns how many there were."""
    count = 0
    with open(path, "wb") as raw, gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as file:
        for line in lines:
            file.write(_encode(line).encode("utf-8", "surrogatepass") + b"\n")
            count += 1
    return count
