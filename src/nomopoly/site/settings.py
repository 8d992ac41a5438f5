"""Django settings. What a host changes comes from the environment:

NOMOPOLY_DATA          folder of the database, the secret key and written mails (default ./data). What a file
                       maintenance.txt in it says is on top of all pages, until the file is gone
NOMOPOLY_SECRET_KEY    key of the installation, 50 random characters: the same on each machine of a site (default: the
                       file secret-key in the data folder, made at the first start)
NOMOPOLY_HOSTS         host names, comma separated (default: any loopback name)
NOMOPOLY_ADDRESS       address of the site as mails and commands give it (default: the first of its hosts; without
                       these, where `nomopoly serve` listens)
NOMOPOLY_HTTPS         1 when served over HTTPS: secure cookies, HSTS
NOMOPOLY_DEBUG         1 for error pages with tracebacks
DATABASE_URL           postgresql://user:password@host:port/name, options as in ?sslmode=require; ?host=/folder for a
                       socket; ?pool=16 for the most connections of a process; ?prepare=no behind a pooler that gives
                       each transaction another connection (default: SQLite in the data folder). Wants the extra
                       `postgres`
EMAIL_URL              smtp://user:password@host:port, with ?tls=1 or ?ssl=1 (default: mails are written to files)
NOMOPOLY_MAIL_FROM     sender of mails
NOMOPOLY_CONTACT       how to reach who runs the site: an address of mail, or of a page
NOMOPOLY_OPERATOR      who runs the site, as its page of contact says
NOMOPOLY_LOG           json for logs of one JSON object a line (default: text)
NOMOPOLY_METRICS_TOKEN what `Authorization: Bearer` has to say at /metrics (default: only this machine may read it)
NOMOPOLY_METRICS_PORT  where `nomopoly clock` shows its metrics, on 127.0.0.1 (default: nowhere)
NOMOPOLY_REPLY_TO      address for answers to notices, which play: name@host, where mail for name+anything@host comes in
NOMOPOLY_MAIL_PROVIDER who posts these mails to /mail/<provider>/inbound/: mailgun, postmark, sendgrid ...
                       (django-anymail)
NOMOPOLY_MAIL_SECRET   what the provider shows for it: user:password, or (mailgun) the key that it signs with
NOMOPOLY_SECONDS       the guard of time for one order in the sandbox, in whole seconds (default 5): more on a slow
                       machine
NOMOPOLY_WARM_GAMES    how many games a process keeps loaded (default 16), each in a sandbox of its own
NOMOPOLY_HERE          address at which the other processes of the site reach this one, as http://10.0.0.5:8001; `off`:
                       it hands nothing over (default: where it listens; `off` with SQLite)
NOMOPOLY_MEMORY        megabytes that the sandboxes of a process may take (default: half of the machine's memory); fewer
                       games stay loaded where they would take more
NOMOPOLY_SANDBOXES     the most sandboxes of a process (default 64), of which at most half keep games loaded
NOMOPOLY_LANGUAGES     what readers may choose from (default `en de`); `en` offers English alone
FORWARDED_ALLOW_IPS    addresses of proxies in front that are believed when they say who asks, as X-Forwarded-For
                       (default: this machine's own); uvicorn reads it
NOMOPOLY_BACKUP_FOR    for which key (age1...) deploy/systemd/nomopoly-backup.service encrypts (default: it does not)
NOMOPOLY_DUMPS         folder of what sandboxes have read, so that a start is quick (default: dumps in the data folder)
"""

from __future__ import annotations

import os
import secrets
import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote

from nomopoly.environment import (
    IN_PASSWORDS,
    address,
    hosts,
    mail_server,
    one_of,
    switched_on,
    unlike,
    web_address,
    whole_number,
)
from nomopoly.errors import CommandError
from nomopoly.site.watch import logs, memory

POOL_WAIT = 8  # seconds that a request waits for a connection to the database, before it is told to come again
PREPARE_AFTER = 5  # how often a connection has had a statement before the database keeps it, see tables/prepared.py
SITE = Path(__file__).resolve().parent
USUAL_ADDRESS = "http://127.0.0.1:8000"
DATA = Path(os.environ.get("NOMOPOLY_DATA", "data")).resolve()
SERVED_AT = DATA / "served-at"  # the address of a site that is told none, for the commands beside it


def secret_key() -> str:
    """The key of this installation, made at its first start and kept in the data folder."""
    if given := os.environ.get("NOMOPOLY_SECRET_KEY"):
        return given
    path = DATA / "secret-key"
    if not path.exists():
        DATA.mkdir(0o700, parents=True, exist_ok=True)
        try:
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
                file.write(secrets.token_urlsafe(50))
        except FileExistsError:
            pass  # Another process made it at the same moment.
    for _ in range(20):  # which may be about to write it
        if kept := path.read_text(encoding="ascii").strip():
            return kept
        time.sleep(0.05)
    raise CommandError(f"{path} is empty: put back the one of a backup, or remove it if the site is new")


def database() -> dict[Any, Any]:
    """The database that the environment names: PostgreSQL by DATABASE_URL, else SQLite in the data folder."""
    if url := os.environ.get("DATABASE_URL"):
        like = f"postgresql://user:password@host:port/name; {IN_PASSWORDS}"
        parts = address("DATABASE_URL", url, ("postgresql", "postgres"), like)
        if not parts.path.strip("/"):
            raise unlike("DATABASE_URL", like)
        options = dict(parse_qsl(parts.query))
        pool = {"min_size": 1, "max_size": int(options.pop("pool", 16)), "timeout": POOL_WAIT}
        prepared = {"prepare_threshold": PREPARE_AFTER if options.pop("prepare", "yes") != "no" else None}
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(parts.path.lstrip("/")),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": options.pop("host", parts.hostname or ""),
            "PORT": parts.port or "",
            "CONN_MAX_AGE": 0,  # a request's thread ends with it; the pool keeps its connection for the next one
            "OPTIONS": options | prepared | {"pool": pool},
        }
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": DATA / "nomopoly.sqlite3",
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
        },
    }


def own_address() -> str:
    """The address of the site if none is set: its first host, or where `nomopoly serve` has listened last."""
    if os.environ.get("NOMOPOLY_HOSTS"):
        return f"{'https' if HTTPS else 'http'}://{ALLOWED_HOSTS[0]}"
    try:
        return SERVED_AT.read_text(encoding="ascii").strip() or USUAL_ADDRESS
    except (OSError, UnicodeDecodeError):
        return USUAL_ADDRESS


SECRET_KEY = secret_key()
DEBUG = switched_on("NOMOPOLY_DEBUG")
HTTPS = switched_on("NOMOPOLY_HTTPS")
ALLOWED_HOSTS = hosts()
if HTTPS:
    CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS]

INSTALLED_APPS = [
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "anymail",
    "ninja",
    "nomopoly.site.accounts",
    "nomopoly.site.post",
    "nomopoly.site.tables",
    "nomopoly.site.lobby",
    "nomopoly.site.play",
    "nomopoly.site.desk",
    "nomopoly.site.trial",
    "nomopoly.site.notices",
    "nomopoly.site.order",
    "nomopoly.site.bymail",
]

MIDDLEWARE = [
    "nomopoly.site.watch.logs.context",
    "nomopoly.site.watch.metrics.requests",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "nomopoly.site.middleware.StaticFiles",
    "nomopoly.site.middleware.headers",
    "nomopoly.site.api.refusals.in_json",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "nomopoly.site.middleware.reader",
    "nomopoly.site.knocks.remember",
    "allauth.account.middleware.AccountMiddleware",
    "nomopoly.site.tables.live.one_look",
    "nomopoly.site.busy.Door",
    "nomopoly.site.elsewhere.Redirections",
]

ROOT_URLCONF = "nomopoly.site.urls"
ASGI_APPLICATION = "nomopoly.site.asgi.application"
WSGI_APPLICATION = "nomopoly.site.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [SITE / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "nomopoly.site.middleware.reader_context",
                "nomopoly.site.notices.context.unread",
                "nomopoly.site.maintenance.message",
                "nomopoly.site.lobby.counting.waiting",
            ],
        },
    }
]
DATABASES = {"default": database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

STATIC_URL = "/static/"
STATICFILES_DIRS = [SITE / "static"]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG

LANGUAGE_CODE = "en"
WRITTEN = {"en": "English", "de": "Deutsch"}
LANGUAGES = [(code, WRITTEN[code]) for code in os.environ.get("NOMOPOLY_LANGUAGES", "en de").split() if code in WRITTEN]
LANGUAGES = LANGUAGES if ("en", "English") in LANGUAGES else [("en", "English"), *LANGUAGES]
LOCALE_PATHS = [SITE / "locale", SITE / "locale_allauth"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# Accounts ------------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "/account/login/"
LOGIN_REDIRECT_URL = "/me/"
LOGOUT_REDIRECT_URL = "/"
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.ScryptPasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "nomopoly.site.accounts.factors.NotTheSitesWords"},
]
ACCOUNT_ADAPTER = "nomopoly.site.accounts.adapter.Adapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT = 10 * 60
ACCOUNT_LOGIN_BY_CODE_SUPPORTS_RESEND = True
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_RATE_LIMITS = {  # a class that comes in at once sits behind one network address
    "request_login_code": "100/m/ip,3/m/key",
    "login": "100/m/ip",
}
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Nomopoly: "
ACCOUNT_USER_DISPLAY = "nomopoly.site.accounts.adapter.display"
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
MFA_ADAPTER = "nomopoly.site.accounts.factors.Factors"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS
MFA_TOTP_ISSUER = "Nomopoly"
MFA_FORMS = {
    "authenticate": "nomopoly.site.accounts.second.Code",
    "reauthenticate": "nomopoly.site.accounts.second.CodeAgain",
    "add_webauthn": "nomopoly.site.accounts.second.AddKey",
}
USERSESSIONS_TRACK_ACTIVITY = False

# Mail ----------------------------------------------------------------------------------------------
DEFAULT_FROM_EMAIL = os.environ.get("NOMOPOLY_MAIL_FROM") or "Nomopoly <nomopoly@localhost>"
if url := os.environ.get("EMAIL_URL"):
    EMAIL_BACKEND = "nomopoly.site.post.backend.Patient"
    EMAIL_TIMEOUT = 10
    globals().update(mail_server(url))
else:
    EMAIL_BACKEND = "nomopoly.site.accounts.mail.FileAndConsole"
    EMAIL_FILE_PATH = DATA / "mail"

# Mail that comes in: answers to notices play
NOMOPOLY_REPLY_TO = os.environ.get("NOMOPOLY_REPLY_TO", "")
NOMOPOLY_MAIL_PROVIDER = os.environ.get("NOMOPOLY_MAIL_PROVIDER", "")
ANYMAIL = {}
if NOMOPOLY_MAIL_PROVIDER:
    secret = os.environ.get("NOMOPOLY_MAIL_SECRET", "")
    if not secret:
        raise ValueError("NOMOPOLY_MAIL_PROVIDER needs NOMOPOLY_MAIL_SECRET: without it anybody could post mails")
    ANYMAIL = {"MAILGUN_WEBHOOK_SIGNING_KEY" if NOMOPOLY_MAIL_PROVIDER == "mailgun" else "WEBHOOK_SECRET": secret}

# Safety --------------------------------------------------------------------------------------------
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_AGE = 60 * 60 * 24 * 60
STYLES_COOKIE_NAME = "styles"  # which style sheets a browser has, see styles.py
ZONE_COOKIE_NAME = "zone"  # the time zone of a browser in which nobody is signed in, see middleware.py
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if HTTPS:
    SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    # Bound to this host and to TLS: no neighbour sets them.
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
    STYLES_COOKIE_NAME, ZONE_COOKIE_NAME = "__Host-styles", "__Host-zone"
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1000
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
# What counts tries (log-in, codes) is shared by all processes; what only saves work is each process's own.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "order_kept",
        "OPTIONS": {"MAX_ENTRIES": 50_000},
    },
    "local": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
}
# Who asks without a key is counted by their address, as the server in front of us (if any) has told it.
NINJA_NUM_PROXIES = 0
CSRF_FAILURE_VIEW = "nomopoly.site.lobby.views.csrf_failure"

# Games ---------------------------------------------------------------------------------------------
NOMOPOLY_RUNTIME = "monty"
# The address of the site as mails give it.
NOMOPOLY_ADDRESS = web_address("NOMOPOLY_ADDRESS", "https://play.example.org") or own_address()
NOMOPOLY_HERE = os.environ.get("NOMOPOLY_HERE") or ("" if os.environ.get("DATABASE_URL") else "off")
if NOMOPOLY_HERE != "off":
    NOMOPOLY_HERE = web_address("NOMOPOLY_HERE", "http://10.0.0.5:8001, or off")
NOMOPOLY_WARM_GAMES = whole_number("NOMOPOLY_WARM_GAMES", 16)
NOMOPOLY_MEMORY = whole_number("NOMOPOLY_MEMORY", memory.of_machine() // 2_000_000) * 1_000_000  # bytes

LOGGING = logs.settings(one_of("NOMOPOLY_LOG", "text", "json"))
# Who runs the site; pages/*.md in the data folder say more (lobby/trust.py).
NOMOPOLY_CONTACT = os.environ.get("NOMOPOLY_CONTACT", "").strip()
NOMOPOLY_OPERATOR = os.environ.get("NOMOPOLY_OPERATOR", "").strip()
# What reads /metrics from another machine shows this; without it, only this machine may.
NOMOPOLY_METRICS_TOKEN = os.environ.get("NOMOPOLY_METRICS_TOKEN", "")
NOMOPOLY_METRICS_PORT = whole_number("NOMOPOLY_METRICS_PORT", 0, most=65535)
