#!/bin/sh
# Installs, repeats and uninstalls in a fresh Debian root, with real packages, user and environment.
# usage: sudo scripts/try_install.sh [FOLDER [SUITE]]     needs debootstrap, about 2 GB and ten minutes
# What only a Pi has is not tried: pins, camera, screen, picamera2, a running systemd.
set -eu
cd "$(dirname "$0")/.."
root=${1:-/tmp/tableside-root}
suite=${2:-bookworm}
say() { echo "== $*"; }
wrong() { echo "try_install: $*" >&2; exit 1; }
inside() { chroot "$root" env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LANG=C.UTF-8 PIP_CERT=$bundle $proxies "$@"; }
# how this machine reaches packages, and whom it trusts, is handed on, not written down
proxies=$(env | grep -i -E '^(http|https|no)_proxy=' || true)
bundle=/etc/ssl/certs/ca-certificates.crt

if [ ! -x "$root/bin/sh" ]; then
    say "a fresh $suite"
    debootstrap --variant=minbase "$suite" "$root" >/dev/null
fi
mount -t proc proc "$root/proc"
trap 'umount "$root/proc"' EXIT
[ ! -f /etc/pip.conf ] || cp /etc/pip.conf "$root/etc/pip.conf"
inside sh -c 'command -v systemd-sysusers >/dev/null || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends systemd udev ca-certificates adduser >/dev/null; }'
cp "$bundle" "$root$bundle"
[ -f "$root/packages-before" ] || inside dpkg-query -W -f '${Package}\n' | sort > "$root/packages-before"

say "the package"
rm -rf "$root/src" && mkdir -p "$root/src"
.venv/bin/python -m uv build --quiet --wheel --out-dir "$root/src" .
# what the installer needs beside the package is what a release carries
.venv/bin/python -c 'from scripts.release import CARRIED; print(*CARRIED, sep="\n")' | while read -r names; do
    # shellcheck disable=SC2086  # they are patterns; a key is there from the first release on
    cp --parents $names "$root/src/" || [ "$names" = release.pub ]
done
wheel=$(cd "$root/src" && ls ./*.whl)

say "install"
inside sh /src/scripts/install.sh --wheel "/src/$wheel"
inside getent passwd tableside >/dev/null || wrong "there is no user"
inside systemctl is-enabled --quiet tableside.target || wrong "the target is not enabled"
[ "$(inside stat -c %U:%a /var/lib/tableside)" = tableside:700 ] || wrong "the games are not the user's own"
inside tableside --version
inside tableside tally skytopia --example >/dev/null
inside /opt/tableside/venv/bin/python -c 'import cv2, pygame; print(pygame.__file__)' | grep -q dist-packages \
    || wrong "pygame is not the system's"

say "install again: nothing may change"
inside sh /src/scripts/install.sh --wheel "/src/$wheel" | tee "$root/tmp/again"
! grep -q '^+' "$root/tmp/again" || wrong "the second call changed something"

say "in a desktop session: the screen's password and no other"
inside sh /src/scripts/install.sh --wheel "/src/$wheel" --kiosk desktop --user nobody
[ "$(inside stat -c %U:%a /var/lib/tableside-screen /var/lib/tableside-screen/secrets/display | tr '\n' ' ')" = "nobody:700 nobody:600 " ] \
    || wrong "the screen's folder is not the person's own"
[ "$(find "$root/var/lib/tableside-screen" -type f | wc -l)" = 1 ] || wrong "more than one password was given away"
[ ! -e "$root/etc/systemd/system/tableside-display.service" ] || wrong "two programs would fight for the screen"
inside sh /src/scripts/install.sh --wheel "/src/$wheel" --kiosk desktop --user nobody | tee "$root/tmp/again"
! grep -q '^+' "$root/tmp/again" || wrong "the second call changed something"

say "a game, then uninstall"
inside runuser -u tableside -- mkdir -p /var/lib/tableside/games
inside runuser -u tableside -- touch /var/lib/tableside/games/journal.db /var/lib/tableside/secrets.json
inside sh /opt/tableside/share/scripts/install.sh --uninstall
left=$(cd "$root" && find . -xdev -iname '*tableside*' -not -path './proc/*' -not -path './tmp/*' -not -path './src/*' | sort)
[ "$left" = ./var/lib/tableside ] || wrong "left behind: $left"
[ "$(cd "$root/var/lib/tableside" && find . -type f)" = ./games/journal.db ] || wrong "more or less than the games stayed"
! inside getent passwd tableside >/dev/null || wrong "the user stayed"
inside dpkg-query -W -f '${Package}\n' | sort | diff "$root/packages-before" - || wrong "packages stayed"
say "nothing stayed but the games"
