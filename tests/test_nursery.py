"""Programs that are forked are processes as others are."""

import json
import os
import signal
import subprocess
import time

import nursery
import pytest
import testclock

TELL = "import json, os, sys, time; print(json.dumps([sys.argv, os.environ.get('WORD'), os.getcwd(), time.time(), __name__]))"


def test_a_program_has_its_words_environment_folder_and_the_clock_of_the_tests(tmp_path):
    (tmp_path / "tell.py").write_text(TELL)
    testclock.set_clock(testclock.beginning() + 86400)
    for words, argv in ((["-c", TELL, "a b"], ["-c", "a b"]), ([tmp_path / "tell.py"], [str(tmp_path / "tell.py")])):
        done = nursery.run(words, env={**os.environ, "WORD": "x"}, cwd=tmp_path, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        told, word, folder, now, name = json.loads(done.stdout)
        assert (told, word, folder, name) == (argv, "x", str(tmp_path), "__main__")
        assert 0 <= now - testclock.beginning() - 86400 < 600


def test_how_a_program_ends_is_told():
    assert nursery.run(["-c", "import sys; sys.exit(3)"]).returncode == 3
    broken = nursery.run(["-c", "1 / 0"], capture_output=True, text=True)
    assert broken.returncode == 1
    assert "ZeroDivisionError" in broken.stderr
    running = nursery.start(["-c", "import time; time.sleep(600)"])
    assert running.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        running.wait(0.01)
    running.kill()
    assert running.wait(60) == running.poll() == -signal.SIGKILL
    running.terminate()  # it has ended: nobody else who has its number now is told anything


def test_a_program_reads_and_writes_while_it_runs(tmp_path):
    program = "import sys\nfor line in sys.stdin: print(line.strip().upper(), flush=True)"
    with open(tmp_path / "errors", "w") as errors:
        running = nursery.start(
            ["-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
        )
    for word in ("one", "two"):
        print(word, file=running.stdin, flush=True)
        assert running.stdout.readline() == f"{word.upper()}\n"
    running.stdin.close()
    assert running.wait(60) == 0
    running.stdout.close()


def test_what_one_program_loads_or_changes_no_other_one_sees():
    program = "import os, sys; print('HERS' in os.environ, 'nomopoly.site' in sys.modules, sorted(os.listdir('/proc/self/fd'))[:-1])"
    nursery.run(["-c", "import os, nomopoly.site; os.environ['HERS'] = '1'"])
    done = nursery.run(["-c", program], capture_output=True, text=True)
    assert done.stdout == "False False ['0', '1', '2']\n", (
        "but for the listing itself it has the three usual files alone"
    )


def test_many_run_at_once():
    running = [
        nursery.start(["-c", f"import time; time.sleep(0.2); raise SystemExit({number})"]) for number in range(8)
    ]
    begun = time.monotonic()
    assert [each.wait(600) for each in running] == list(range(8))
    assert time.monotonic() - begun < 600
