"""The documentation builds as one site without a dead link, and the files for operators say what the program has."""

import configparser
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from nomopoly.cli import run
from nomopoly.rulebook.source import editions
from nomopoly.site import maintenance
from nomopoly.site.server import LAST_SECONDS

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
SETTINGS = ROOT / "src/nomopoly/site/settings.py"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of the built site."""
    folder = tmp_path_factory.mktemp("docs")
    environment = {**os.environ, "NOMOPOLY_DATA": str(folder / "data")}
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder / "site")]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "site"


def test_every_page_is_there(built):
    for edition in editions():
        page = (built / f"playing/{edition}/index.html").read_text()
        assert "How to play" in page
        assert not re.search(r"\{[\w.]+:\w+\}", page), "a number of a rule is not filled in"
        board = re.search(r'<svg class="board".*?</svg>', page, re.S)
        assert board
        assert "<a " not in board[0]
    styles = (built / "board.css").read_text()
    assert ".owner-fill" in styles
    assert ".sq-band" in styles
    told = (built / "rules/first-rule/index.html").read_text()
    assert "times the number of the square, but at most $100" in told
    assert "e.square.owner" in told
    assert "<b>gain</b>" in (built / "rules/words/index.html").read_text()
    assert (
        'href="../rules-among-rules/#a-program-that-runs-once"'
        in (built / "rules/first-programs/index.html").read_text()
    )


def test_all_settings_are_on_a_page(built):
    page = (built / "operating/settings/index.html").read_text()
    told = set(re.findall(r"^(NOMOPOLY_[A-Z_]+|DATABASE_URL|EMAIL_URL) {2,}\S", SETTINGS.read_text(), re.M))
    rows = dict(re.findall(r"<td><code>(\w+)</code></td>\s*<td>(.*?)</td>", page))
    assert "how to reach who runs the site" in rows["NOMOPOLY_CONTACT"]
    assert "behind a pooler that gives each transaction another connection" in rows["DATABASE_URL"]
    assert "NOMOPOLY_DATA" in told
    assert told <= set(rows)


def test_the_drawing_of_the_house_has_every_room_and_its_imports(built):
    page = (built / "house/index.html").read_text()
    rooms = {each.name.removesuffix(".py") for each in (ROOT / "src/nomopoly").iterdir() if each.suffix in {"", ".py"}}
    for room in rooms - {"__init__", "__main__", "__pycache__", "environment", "errors", "py", "_version"}:
        assert f">{room}</text>" in page, room
    assert page.count("<path") > 10


def test_the_commands_that_operators_are_told_exist():
    texts = [
        *(ROOT / "docs/operating").glob("*.md"),
        *DEPLOY.rglob("*.service"),
        DEPLOY / "compose.yaml",
        DEPLOY / "Dockerfile",
    ]
    commands = {found for text in texts for found in re.findall(r'\bnomopoly"?,? "?([a-z][a-z-]+)"?', text.read_text())}
    said = commands & {
        "serve",
        "clock",
        "doctor",
        "backup",
        "restore",
        "verify",
        "export",
        "import",
        "hand-over",
        "stop",
        "resume",
        "recover",
    }
    assert len(said) == 12, sorted(commands)
    for each in said:
        assert run([each, "--help"]) == 0


def test_no_command_is_told_that_there_is_not():
    texts = [
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "docs/operating").iterdir(),
        ROOT / "README.md",
        DEPLOY / "compose.yaml",
    ]
    told = {
        found
        for text in texts
        for found in re.findall(r"(?:`|^    )nomopoly ((?:operator )?[a-z-]+)", text.read_text(), re.M)
    }
    assert {"operator log", "operator outbox", "operator send-again", "doctor", "clock", "mail"} <= told
    assert [words for words in sorted(told) if run([*words.split(), "--help"]) != 0] == []


def test_no_option_is_told_that_there_is_not(capsys):
    texts = [
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "docs/operating").iterdir(),
        *DEPLOY.rglob("*.service"),
        ROOT / "README.md",
    ]
    told = set()
    for text in texts:
        for command, words in re.findall(r"\bnomopoly ((?:operator )?[a-z-]+)([^`\n|]*)", text.read_text()):
            told |= {(command, each) for each in re.findall(r"(?<![\w-])--(?!help)[a-z][a-z-]*", words)}
    assert {("serve", "--no-clock"), ("verify", "--all"), ("mail", "--pipe"), ("hand-over", "--because")} <= told
    known = {}
    for command in sorted({command for command, _ in told}):
        assert run([*command.split(), "--help"]) == 0, command
        known[command] = capsys.readouterr().out
    assert sorted((command, each) for command, each in told if each not in known[command]) == []


def test_what_the_files_set_is_what_the_settings_read():
    known = set(
        re.findall(
            r"\b(?:NOMOPOLY_[A-Z_]+|DATABASE_URL|EMAIL_URL)\b", (ROOT / "src/nomopoly/site/settings.py").read_text()
        )
    )
    for file in [*(ROOT / "docs/operating").glob("*.md"), *DEPLOY.rglob("*.*"), DEPLOY / "Dockerfile"]:
        if file.is_file():
            assert set(re.findall(r"\b(?:NOMOPOLY_[A-Z_]+|DATABASE_URL|EMAIL_URL)\b", file.read_text())) <= known, file


def test_operators_are_told_of_all_that_stands_in_the_data_folder():
    """What one machine has there and another lacks is found out too late."""
    source = "\n".join(path.read_text() for path in (ROOT / "src/nomopoly/site").rglob("*.py"))
    named = set(re.findall(r'\b(?:DATA|parent) / "([\w.-]+)"', source)) | {maintenance.NAME}
    assert {"secret-key", "push-key.pem", "pages", "dumps", "mail", "witness", "nomopoly.sqlite3"} <= named
    told = (ROOT / "docs/operating/growing.md").read_text()
    assert [name for name in sorted(named) if f"`{name}`" not in told and f"`{name}/`" not in told] == []


def test_the_compose_file_names_services_and_volumes_that_are_there():
    composed = YAML(typ="safe", pure=True).load((DEPLOY / "compose.yaml").read_text())
    services, volumes = composed["services"], set(composed["volumes"])
    assert set(services) == {"database", "web", "clock"}
    for service in services.values():
        assert set(service.get("depends_on", {})) <= set(services)
        assert {each.split(":")[0] for each in service.get("volumes", [])} <= volumes
    # Visitors come through the machine's proxy alone, which is believed when it says who asks.
    assert services["web"]["environment"]["FORWARDED_ALLOW_IPS"] == "*"
    assert all(each.startswith("127.0.0.1:") for each in services["web"]["ports"])
    for name in ("web", "clock"):
        assert services[name]["env_file"] == ".env", "the operator sets there what they want"
        assert services[name]["init"] is True, "what is first of a container hears no signal before it has begun"
        assert int(services[name]["stop_grace_period"].rstrip("s")) > LAST_SECONDS, "what is under way is answered"
    wanted = set(re.findall(r"\$\{(\w+):\?", (DEPLOY / "compose.yaml").read_text()))
    example = {line.split("=")[0] for line in (DEPLOY / "example.env").read_text().splitlines() if "=" in line}
    assert wanted <= example


def test_a_command_of_the_site_is_run_as_its_units_are(tmp_path):
    told = (DEPLOY / "nomopoly.sh").read_text()
    unit = (DEPLOY / "systemd" / "nomopoly.service").read_text()
    for name in ("EnvironmentFile", "UMask"):
        assert f"--property={name}={re.search(f'^{name}=(.*)$', unit, re.M)[1]}" in told
    assert f"--uid={re.search('^User=(.*)$', unit, re.M)[1]} " in told
    program = re.search(r"^ExecStart=(\S+)", unit, re.M)[1]
    stand_in = tmp_path / "systemd-run"
    stand_in.write_text('#!/bin/sh\necho "$@"\n')
    stand_in.chmod(0o755)
    for at, wanted in (("", program), ("/opt/nomopoly-2", "/opt/nomopoly-2/bin/nomopoly")):
        shown = subprocess.run(
            ["sh", DEPLOY / "nomopoly.sh", "doctor"],
            env={"AT": at, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert shown.split()[-2:] == [wanted, "doctor"]


@pytest.mark.parametrize("unit", sorted(DEPLOY.glob("systemd/*")), ids=lambda each: each.name)
def test_a_unit_can_be_read(unit):
    read = configparser.ConfigParser(strict=False, interpolation=None)
    read.optionxform = str
    read.read_string(unit.read_text())
    assert "Unit" in read
    if unit.suffix == ".service":
        assert read["Service"]["User"] == "nomopoly"
        assert "nomopoly" in read["Service"]["ExecStart"]
    else:
        assert (unit.parent / f"{unit.stem}.service").is_file()
    if shutil.which("systemd-analyze"):
        done = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True, check=False
        )
        assert not re.search(r"Unknown|Failed to parse|Invalid", done.stderr), done.stderr


@pytest.mark.parametrize(
    ("key", "works", "kept"),
    [
        ("", True, {".tar.gz": "backup of all"}),
        ("age1xyz", True, {".tar.gz.age": "for -r age1xyz: backup of all"}),
        ("age1xyz", False, {}),
    ],
)
def test_the_nightly_backup_is_encrypted_if_told_and_never_half_of_one(tmp_path, key, works, kept):
    read = configparser.ConfigParser(strict=False, interpolation=None)
    read.optionxform = str
    read.read_string((DEPLOY / "systemd/nomopoly-backup.service").read_text().replace("\\\n", ""))
    told = shlex.split(read["Service"]["ExecStart"].replace("%%", "%").replace("$$", "$"))
    places = {"/opt/nomopoly/bin/": f"{tmp_path}/", "/var/lib/nomopoly/backups/": f"{tmp_path}/kept/"}
    for old, new in places.items():
        told[-1] = told[-1].replace(old, new)
    (tmp_path / "kept").mkdir()
    programs = {
        "nomopoly": f'[ "$2" = - ] || exec >"$2"; echo backup of all; exit {0 if works else 1}',
        "age": 'echo "for $*: $(cat)"',
    }
    for name, program in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{program}\n")
        (tmp_path / name).chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "NOMOPOLY_BACKUP_FOR": key}
    done = subprocess.run(told, env=environment, check=False)
    assert (done.returncode == 0) == works
    files = [each for each in (tmp_path / "kept").iterdir() if each.suffix != ".part"]
    assert {"".join(each.suffixes): each.read_text().strip() for each in files} == kept


def nginx_takes(folder, inside):
    """What nginx has to say against a configuration, of which `inside` stands in http { }; "" for nothing."""
    for name in ("fullchain", "privkey"):
        inside = inside.replace(f"/etc/letsencrypt/live/play.example.org/{name}.pem", str(folder / f"{name}.pem"))
    words = ["-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=play.example.org"]
    files = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    subprocess.run(["openssl", "req", "-x509", *words, *files], check=True, capture_output=True)
    file = folder / "nginx.conf"
    file.write_text(f"pid {folder}/pid; error_log stderr; events {{}} http {{ access_log off; {inside} }}")
    done = subprocess.run(["nginx", "-t", "-c", str(file)], capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stderr


def test_nginx_takes_what_operators_are_told(tmp_path):
    grow = (ROOT / "docs/operating/growing.md").read_text()
    told = "\n".join(line[4:] for line in grow.splitlines() if line.startswith("    "))
    found = re.search(r"map \$uri.*?\n}\nupstream.*?\n}\n", told + "\n", re.S)
    assert found
    if shutil.which("nginx") and shutil.which("openssl"):
        assert nginx_takes(tmp_path, (DEPLOY / "nginx.conf").read_text()) == ""
        assert nginx_takes(tmp_path, found[0] + "server { location / { proxy_pass http://nomopoly; } }") == ""
        assert nginx_takes(tmp_path, found[0] + "server { location / { proxy_pass http://nowhere; } }")


def test_the_proxy_says_what_the_site_reads():
    told = (DEPLOY / "nginx.conf").read_text()
    for header, value in {
        "Host": "$http_host",
        "X-Forwarded-For": "$remote_addr",
        "X-Forwarded-Proto": "https",
    }.items():
        assert f"proxy_set_header {header} {value};" in told
    assert told.count("{") == told.count("}")
