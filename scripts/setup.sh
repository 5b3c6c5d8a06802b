#!/bin/sh
# Leaves .venv with the `tableside` command. Safe to repeat; quick when nothing changed.
# usage: scripts/setup.sh [tests|lab]  with "tests": also what the tests need; with "lab": and the emulated machine
set -eu
cd "$(dirname "$0")/.."
what=${1:-run}

wanted="mosquitto espeak-ng libgl1 libglib2.0-0"
[ "$what" = run ] || wanted="$wanted xvfb xdotool chromium-headless-shell systemd libseccomp2 postgresql gcc libc6-dev"
if [ "$what" = lab ]; then
    wanted="$wanted qemu-system-x86 qemu-user-static debootstrap e2fsprogs nbdkit nbdkit-plugin-python openssh-client
        libnbd-bin fuse3 socat iproute2 linux-source-6.12 make flex bison bc xz-utils kmod"
    what=tests
fi
python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || {
    echo "tableside: Python 3.11 or newer is needed; set PYTHON=/path/to/it" >&2
    exit 1
}
"$python" -c 'import ensurepip, venv' 2>/dev/null || wanted="$wanted python3-venv"

installed() {
    # Debian 13 renamed some libraries; the new name serves as well
    for name in "$1" "$1t64"; do
        dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q "install ok installed" && return 0
    done
    return 1
}

missing=
if command -v dpkg-query >/dev/null 2>&1; then
    for package in $wanted; do
        installed "$package" || missing="$missing $package"
    done
fi
if [ -n "$missing" ]; then
    echo "Debian packages wanted:$missing" >&2
    if [ "$(id -u)" = 0 ]; then
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >&2
    elif [ -t 0 ]; then
        printf 'Install them now with sudo? [Y/n] ' >&2
        read -r answer
        case "$answer" in
            [nN]*) echo "Then type: sudo apt-get install$missing" >&2; exit 1 ;;
        esac
        sudo apt-get update -qq && sudo apt-get install -y --no-install-recommends $missing
    else
        echo "Type this, then try again: sudo apt-get install$missing" >&2
        exit 1
    fi
fi

lock=requirements.lock
[ "$what" = tests ] && lock=requirements-dev.lock
phone=$(find companion/phone -type f -not -path '*/node_modules/*' -not -path '*/dist/*' -not -path '*/__pycache__/*' | sort | xargs cat)
stamp=$( (cat requirements.lock requirements-dev.lock pyproject.toml hatch_build.py scripts/setup.sh; echo "$phone") | cksum)
done_for=$(cat .venv/.tableside-setup 2>/dev/null || true)
if [ "$done_for" = "$stamp tests" ] || [ "$done_for" = "$stamp $what" ]; then
    exit 0
fi
echo "Setting up .venv (a few minutes the first time) ..." >&2
[ -x .venv/bin/python ] || "$python" -m venv .venv
# the lock is whole, so nothing is worked out again; what is imported is compiled then
pip=".venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps"
uv=".venv/bin/python -m uv pip install --quiet --no-deps --python .venv/bin/python"
if [ "$what" = tests ]; then
    # uv, which the tests need anyway, unpacks side by side what pip unpacks one after another: 4 s of processor time instead of 22;
    # it does not read pip's settings, so where it finds nothing pip goes on
    $pip --no-compile "$(grep '^uv==' "$lock")"
    $uv -r "$lock" 2>/dev/null || $pip --no-compile -r "$lock"
else
    $pip --no-compile -r "$lock"
fi
alone=
if [ "$what" = tests ]; then
    # what builds the page is among what the tests need: it is neither fetched nor unpacked a second time
    .venv/bin/python -c 'from companion.phone.build import install; install(dev=True)'
    alone=--no-build-isolation
fi
$pip $alone --editable .
echo "$stamp $what" > .venv/.tableside-setup
