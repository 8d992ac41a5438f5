"""CPython in a process that can do nothing but reckon: whatever runs in it, the host goes on, and nothing else is
touched."""

import os
import re
from pathlib import Path

import pytest

from nomopoly.runtime.interpreters import Fault, HardenedRuntime, NotShutIn, WorkerDied, hardened

# What somebody does who has found a way out of the language: any Python, in the place of a call of the kernel.
REACH = """
def attack(data):
    import_ = getattr(READERS[0], "__glob" + "als__")["sys"].modules
    os, ctypes = import_["os"], import_["ctypes"]
    system = ctypes.CDLL(None).syscall
    libc = ctypes.CDLL(None)
    {}
CALLS["attack"] = attack
"""
ATTACKS = {
    "opens a file": "return open('/etc/passwd').read()",
    "reads the environment of its host": "return os.open(f'/proc/{data[\"host\"]}/environ', os.O_RDONLY)",
    "reads its own memory": "return os.open('/proc/self/mem', os.O_RDWR)",
    "writes a file": "return os.open(data['touch'], os.O_CREAT | os.O_WRONLY)",
    "makes a folder": "return os.mkdir(data['touch'])",
    "connects": "return import_['ctypes'].CDLL(None).socket(2, 1, 0)",
    "forks": "return os.fork()",
    "starts a thread": "return import_['_thread'].start_new_thread(print, ())",
    "starts a program": "return os.execv('/bin/touch', ['touch', data['touch']])",
    "asks a shell": "return os.system('touch ' + data['touch'])",
    "kills its host": "return os.kill(data['host'], 9)",
    "kills itself": "return os.kill(os.getpid(), 9)",
    "traces its host": "return libc.ptrace(16, data['host'], 0, 0)",
    "reads the memory of its host": "return libc.process_vm_readv(data['host'], 0, 0, 0, 0, 0)",
    "has its limits back": "return libc.setrlimit(7, 0)",
    "has another filter": "return libc.prctl(22, 0, 0, 0, 0)",
    "makes memory of programs": "return libc.mmap(0, 4096, 7, 0x22, -1, 0)",
    "makes a ring": "return system(425, 8, 0)",
    "sleeps": "return import_['time'].sleep(1000)",
    "writes beside its pipe": "return os.write(2, b'x')",
    "reads beside its pipe": "return os.read(1, 1)",
    "calls of another machine": "return system(0x40000000 + 39)",
    "crashes": "return ctypes.string_at(0)",
    "ends": "return os._exit(0)",
    "spins": "while True: pass",
    "says too much at once": "return 'x' * 9_000_000",
    "says how much it says": "os.write(1, b'\\xff' * 9_000_000)",
    "says no answer": "os.write(1, b'\\x00\\x00\\x00\\x02[]')\n    while True: pass",
    "says what nobody can read": "os.write(1, b'\\x00\\x01\\x00\\x00' + b'[' * 65536)\n    while True: pass",
    "says it in bits": "os.write(1, b'\\x00\\x00\\x00\\x09{\"done\":')\n    while True: pass",
    "asks for ever": "\n    while True:\n        READERS[0](f'x = {len(data)}')\n        data[len(data)] = 0",
}


def attacked(what, tmp_path, seconds=30.0):
    """What comes of an attack."""
    runtime = HardenedRuntime(seconds=seconds)
    try:
        runtime.add(REACH.format(what))
        return runtime.call("attack", {"host": os.getpid(), "touch": str(tmp_path / "touched")})
    finally:
        runtime.close()
        assert not (tmp_path / "touched").exists()


@pytest.mark.parametrize("what", ATTACKS)
def test_an_attack_ends_its_worker_and_nothing_else(what, tmp_path, monkeypatch):
    monkeypatch.setattr(hardened, "MOST_QUESTIONS", 200)
    with pytest.raises(WorkerDied):
        attacked(ATTACKS[what], tmp_path, 1.0 if "while True: pass" in ATTACKS[what] else 30.0)


def test_the_attacks_would_be_heard_of_if_they_went_well(tmp_path):
    assert attacked("return [os.getuid.__name__, sorted(set(os.environ) - {'LC_CTYPE'})]", tmp_path) == ["getuid", []]


def test_memory_without_end_is_a_fault(tmp_path):
    with pytest.raises(Fault) as told:
        attacked("return len(bytearray(10 ** 10))", tmp_path)
    assert told.value.limit == "memory"


def test_modules_are_those_that_are_there_already(tmp_path):
    with pytest.raises(Fault, match="No module named 'socket'"):
        attacked("import socket", tmp_path)


@pytest.mark.parametrize(
    ("said", "instead"),
    [
        ("libseccomp.so.2", "libseccomp-is-not-here.so"),
        ("        filter_calls(library)\n", ""),
        ("agreed(library.seccomp_load(made))", "agreed(-22)"),
        ("        own_process()\n", "        os._exit(3)\n"),
    ],
)
def test_no_rule_runs_where_the_process_is_not_shut_in(said, instead, tmp_path, monkeypatch):
    text = hardened.CELL.read_text()
    assert said in text
    cell = tmp_path / "cell.py"
    cell.write_text(text.replace(said, instead))
    monkeypatch.setattr(hardened, "CELL", cell)
    with pytest.raises(NotShutIn):
        HardenedRuntime()


def test_a_process_that_only_says_that_it_is_shut_in_is_not_believed(tmp_path, monkeypatch):
    cell = tmp_path / "cell.py"
    told = b'{"shut": true}'
    cell.write_text(
        f"import os\nos.write(1, {len(told).to_bytes(4, 'big') + told!r})\nos.read(0, 1 << 30)\nwhile True:\n    "
        "os.read(0, 1 << 30)\n"
    )
    monkeypatch.setattr(hardened, "CELL", cell)
    with pytest.raises(NotShutIn, match="the system does not say so"):
        HardenedRuntime()


def test_a_worker_has_no_descriptors_but_its_pipes_and_is_gone_when_it_is_closed():
    runtime = HardenedRuntime()
    pid = runtime._process.pid
    status = Path(f"/proc/{pid}/status").read_text()
    assert re.search(r"Seccomp:\t2\n", status)
    assert re.search(r"Threads:\t1\n", status)
    if os.access(f"/proc/{pid}/fd", os.R_OK | os.X_OK):
        assert sorted(os.listdir(f"/proc/{pid}/fd")) == ["0", "1", "2"]
    runtime.close()
    assert not Path(f"/proc/{pid}").exists()
