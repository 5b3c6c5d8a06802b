#!/bin/sh
# Makes this Raspberry Pi (or Debian machine) a table. Safe to repeat: only what differs is changed.
#
# usage: sudo scripts/install.sh [--dry-run] [--kiosk auto|kms|desktop|none] [--user NAME] [--root DIR] [--wheel FILE]
#        sudo scripts/install.sh --update [the same options]      from newer sources, or with --wheel
#        sudo scripts/install.sh --rollback [--games] [--dry-run] [--root DIR]
#        sudo scripts/install.sh --uninstall [--dry-run] [--root DIR]
#
#   --dry-run    print every change and make none
#   --kiosk      the touchscreen: kms without a desktop, desktop inside a session, none; auto looks which it is
#   --user       whose desktop session shows the table (default: who called sudo)
#   --root       write files below DIR; packages, users, environment and services are then only printed
#   --environment  with --root: make the environment there, too
#   --wheel      install this built package instead of the sources beside this script
#   --update     prepare the new version beside the old one, back the games up, exchange them and keep the old one; the table
#                stands still for the exchange only, and what fails half-way is undone by itself
#   --rollback   put back what the last --update replaced; with --games also the games and settings of its backup
#   --uninstall  take everything away except the games (and backups) in /var/lib/tableside
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
dry= root= kiosk=auto wheel= uninstall= update= rollback= games= environment= person=${SUDO_USER:-}

stop() { echo "install: $1" >&2; exit "${2:-1}"; }
value() { [ $# -ge 2 ] && [ -n "$2" ] || stop "$1 needs a value; see the top of this file" 2; }

while [ $# -gt 0 ]; do
    case $1 in
        --dry-run) dry=yes ;;
        --uninstall) uninstall=yes ;;
        --update) update=yes ;;
        --rollback) rollback=yes ;;
        --games) games=yes ;;
        --environment) environment=yes ;;
        --kiosk) value "$@"; kiosk=$2; shift ;;
        --user) value "$@"; person=$2; shift ;;
        --root) value "$@"; root=$2; shift ;;
        --wheel) value "$@"; wheel=$2; shift ;;
        -h | --help) sed -n '2,/^set -eu/{/^set -eu/d;s/^# \{0,1\}//;p;}' "$0"; exit 0 ;;
        *) stop "$1 is not known; see --help" 2 ;;
    esac
    shift
done
case $kiosk in auto | kms | desktop | none) ;; *) stop "--kiosk is auto, kms, desktop or none" 2 ;; esac
root=${root%/}
[ -z "$root" ] || [ -d "$root" ] || stop "$root: there is no such folder"
if [ -z "$dry$root" ] && [ "$(id -u)" != 0 ]; then
    stop "root is needed: sudo $0 (or look first: $0 --dry-run)"
fi

opt=/opt/tableside
previous=$opt/previous
next=$opt/next # an update grows here while the table is still played on
state=/var/lib/tableside
screen_state=/var/lib/tableside-screen
units=/etc/systemd/system
rooms="broker gate core bridge vision speech"
glib=libglib2.0-0t64 # its name since Trixie
if grep -q -x 'VERSION_ID="12"' /etc/os-release 2>/dev/null; then glib=libglib2.0-0; fi
# SDL asks for EGL and GLES by name when it draws without a desktop; pygame's package does not bring them
packages="mosquitto espeak-ng python3-venv python3-pygame libegl1 libgles2 libgl1 $glib"
pi_packages="python3-picamera2 python3-lgpio"

# ---- every change goes through one of these, so that --dry-run can show it and nothing slips past

tell() { echo "$*"; }
change() { # SENTENCE COMMAND...: on the machine itself
    tell "+ $1"
    shift
    [ -n "$dry$root" ] || "$@"
}
change_file() { # SENTENCE COMMAND...: below --root too
    tell "+ $1"
    shift
    [ -n "$dry" ] || "$@"
}
change_environment() { # SENTENCE COMMAND...: below --root where that is wanted
    tell "+ $1"
    shift
    [ -n "$dry" ] || { [ -n "$root" ] && [ -z "$environment" ]; } || "$@"
}
put() { # MODE SOURCE TARGET
    [ -f "$root$3" ] && cmp -s "$2" "$root$3" && return 0
    change_file "write $3" install -D -m "$1" "$2" "$root$3"
    changed=yes
}
put_text() { # MODE TARGET, text on standard input
    cat > "$scratch/text"
    put "$1" "$scratch/text" "$2"
}
take() { # TARGET...
    for target in "$@"; do
        if [ -e "$root$target" ] || [ -L "$root$target" ]; then
            change_file "remove $target" rm -rf -- "$root$target"
        fi
    done
}
running_systemd() { [ -z "$root" ] && [ -d /run/systemd/system ]; }
installed() { [ "$(dpkg-query -W -f '${Status}' "$1" 2>/dev/null)" = "install ok installed" ]; }
offered() { [ -n "$(apt-cache madison "$1" 2>/dev/null)" ]; }

scratch=$(mktemp -d)
half_done= # an update that has taken the old version away and not yet put the new one in place
resting= # what was stopped and is to run again, whatever goes wrong meanwhile
leave() {
    if [ -n "$half_done" ]; then
        half_done=
        tell "The update failed; the version from before is put back."
        put_back || tell "That failed too: run $0 --rollback"
    fi
    # shellcheck disable=SC2086  # a list of names
    [ -z "$resting" ] || { systemctl daemon-reload && systemctl start $resting; } || tell "It does not start: systemctl status $resting"
    [ -n "$dry" ] || [ -z "$update" ] || rm -rf -- "$root$next"
    rm -rf "$scratch"
}
trap leave EXIT
trap 'exit 1' INT TERM
changed=

# ---- installing, step by step

which_kiosk() {
    [ "$kiosk" = auto ] || return 0
    if [ -e "$root$units/display-manager.service" ] || [ -L "$root$units/display-manager.service" ]; then
        kiosk=desktop
    else
        kiosk=kms
    fi
}

add_packages() {
    missing=
    for package in $packages $pi_packages; do
        installed "$package" || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    tell "  refresh the list of packages"
    [ -n "$dry$root" ] || apt-get update -qq || tell "  it could not be refreshed: going on with the old one"
    wanted=
    for package in $missing; do
        case " $pi_packages " in
            *" $package "*)
                if [ -z "$dry$root" ] && ! offered "$package"; then
                    tell "  $package is not offered here (Raspberry Pi OS has it): going on without"
                    continue
                fi ;;
        esac
        wanted="$wanted $package"
    done
    [ -n "$wanted" ] || return 0
    # shellcheck disable=SC2086  # a list of names
    change "install packages:$wanted" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $wanted
    # what was brought is remembered, so that it can be taken away again
    change "remember them in $opt/packages" remember $wanted
}
remember() {
    mkdir -p "$opt"
    for package in "$@"; do echo "$package"; done | sort -u - $( [ -f "$opt/packages" ] && echo "$opt/packages" ) > "$scratch/packages"
    install -m 644 "$scratch/packages" "$opt/packages"
}

own_broker() { # Debian starts a broker of its own; one that somebody had before us is left alone
    case " ${wanted:-} " in *" mosquitto "*) ;; *) grep -q -x mosquitto "$root$opt/packages" 2>/dev/null || return 0 ;; esac
    if [ -n "$dry" ] || [ -L "$root$units/multi-user.target.wants/mosquitto.service" ]; then
        change "turn Debian's own mosquitto.service off: the table has its own" systemctl --quiet disable mosquitto.service
        ! running_systemd || change "stop it" systemctl stop mosquitto.service
    fi
}

add_user() {
    put 644 "$here/systemd/tableside.sysusers" /etc/sysusers.d/tableside.conf
    put 644 "$here/systemd/tableside.tmpfiles" /etc/tmpfiles.d/tableside.conf
    if [ -n "$root" ] || ! getent passwd tableside >/dev/null || ! getent passwd tableside-hall >/dev/null; then
        change "make the user tableside, and tableside-hall for a hall" systemd-sysusers tableside.conf
    fi
    if [ -n "$root" ] || [ ! -d "$state" ] || [ "$(stat -c %U "$state")" != tableside ]; then
        change "make $state and /etc/tableside" systemd-tmpfiles --create tableside.conf
        change "give the games in $state to tableside" chown -R tableside:tableside "$state"
    fi
}

stamp_of_sources() {
    if [ -n "$wheel" ]; then
        cat "$wheel" "$here/requirements.lock" "$here/requirements-camera.lock" | cksum
    else
        (cd "$here" && find companion firmware_bridge vision display speech hall requirements*.lock pyproject.toml hatch_build.py -type f \
            -not -path '*/node_modules/*' -not -path '*/__pycache__/*' -not -path '*/phone/dist/*' | sort | xargs -d '\n' cat | cksum)
    fi
}
add_environment() {
    stamp=$(stamp_of_sources)
    [ "$(cat "$root$opt/venv/.tableside" 2>/dev/null)" = "$stamp" ] && return 0
    changed=yes
    venv=$root$opt/venv
    if [ -n "$update" ]; then
        # a copy: what is there need not be fetched again, so a table without a network can be updated, too
        venv=$root$next
        change_environment "prepare the new version in $next" copy_environment
    elif { [ -n "$root" ] && [ -z "$environment" ]; } || [ ! -x "$venv/bin/python" ]; then
        change_environment "make the environment $opt/venv with the system's site packages" \
            python3 -m venv --system-site-packages "$venv"
    fi
    # pygame stays the system's: its SDL can draw without a desktop (KMSDRM), the wheel's cannot
    awk '/^[^ #]/ { skip = /^(pygame|lgpio)==/ } !skip' "$here/requirements.lock" > "$scratch/requirements"
    pip="$venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input --no-deps"
    change_environment "install the libraries of requirements.lock, without pygame" $pip --require-hashes -r "$scratch/requirements"
    if installed python3-picamera2; then
        # the system's is built for an older numpy than the reader's
        change_environment "install simplejpeg, which picamera2 needs, for this numpy" \
            $pip --require-hashes -r "$here/requirements-camera.lock"
    fi
    change_environment "install tableside" install_package
    change_environment "remember which sources these are" sh -c "echo '$stamp' > '$venv/.tableside'"
}
copy_environment() {
    rm -rf -- "$root$next"
    cp -a "$root$opt/venv" "$root$next"
}

install_package() { # sources are built with the tools of requirements-build.lock and no others
    if [ -z "$wheel" ]; then
        python3 -m venv "$scratch/tools"
        tools="$scratch/tools/bin/python -m pip --quiet --disable-pip-version-check --no-input"
        $tools install --no-deps --require-hashes -r "$here/requirements-build.lock"
        $tools wheel --no-deps --no-build-isolation --wheel-dir "$scratch/wheel" "$here"
        wheel=$(echo "$scratch/wheel"/*.whl)
    fi
    $pip --force-reinstall "$wheel"
}

add_files() {
    put 755 "$here/scripts/install.sh" $opt/share/scripts/install.sh
    put 644 "$here/README.md" $opt/share/README.md
    put 644 "$here/companion/machine/update.py" $opt/share/update.py
    [ ! -f "$here/release.pub" ] || put 644 "$here/release.pub" /etc/tableside/release.pub # whose updates are believed
    put 644 "$here/systemd/update-tableside.path" $units/update-tableside.path
    put 644 "$here/systemd/update-tableside.service" $units/update-tableside.service
    put 644 "$here/systemd/99-tableside.rules" /etc/udev/rules.d/99-tableside.rules
    put 644 "$here/systemd/tableside.journald" /etc/systemd/journald.conf.d/tableside.conf
    put 644 "$here/systemd/tableside.target" $units/tableside.target
    for room in $rooms; do
        put 644 "$here/systemd/tableside-$room.service" "$units/tableside-$room.service"
    done
    # further tables on the same machine: tableside@club1.target
    put 644 "$here/systemd/tableside@.target" "$units/tableside@.target"
    for room in broker gate core; do
        put 644 "$here/systemd/tableside-$room@.service" "$units/tableside-$room@.service"
    done
    # the hall of many tables, where this machine is one: systemctl enable --now tableside-hall
    put 644 "$here/systemd/tableside-hall.service" "$units/tableside-hall.service"
    put_text 755 /usr/local/bin/tableside <<-'END'
	#!/bin/sh
	# As root: this table's own games and settings, with the rights of its user; a hall's with the hall's. Otherwise: your own.
	if [ "$(id -u)" = 0 ]; then
	    case "${1:-} ${2:-}" in
	        "hall join" | "hall leave" | "hall --demo") ;;
	        "hall "*) exec runuser -u tableside-hall -- env TABLESIDE_HALL_DIR=/var/lib/tableside-hall \
	            /opt/tableside/venv/bin/tableside "$@" ;;
	    esac
	    exec runuser -u tableside -- env TABLESIDE_STATE_DIR=/var/lib/tableside TABLESIDE_CONFIG_DIR=/etc/tableside \
	        /opt/tableside/venv/bin/tableside "$@"
	fi
	exec /opt/tableside/venv/bin/tableside "$@"
	END
    if [ ! -e "$root/etc/tableside/tableside.toml" ]; then # the owner's from here on
        put_text 644 /etc/tableside/tableside.toml <<-'END'
	# The settings of this table; each one is explained in docs/settings.md.
	# What is changed on the screen stands above this file.

	[table]
	language = "en"

	[dial]
	source = "none"      # gpio, serial

	[camera]
	source = "none"      # picamera2, v4l2
	END
    fi
}

add_screen() {
    case $kiosk in
        kms)
            put 644 "$here/systemd/tableside-display.service" $units/tableside-display.service
            put_text 644 $units/tableside-display.service.d/kiosk.conf <<-'END'
	# The table has the screen to itself; a login is on the second console (Alt+F2).
	[Unit]
	Conflicts=getty@tty1.service
	After=getty@tty1.service
	END
            take /etc/xdg/autostart/tableside.desktop $opt/bin/screen $screen_state ;;
        desktop)
            put_text 644 /etc/xdg/autostart/tableside.desktop <<-'END'
	[Desktop Entry]
	Type=Application
	Name=Tableside
	Comment=The table's screen
	Exec=/opt/tableside/bin/screen
	Terminal=false
	X-GNOME-Autostart-enabled=true
	END
            put_text 755 $opt/bin/screen <<-'END'
	#!/bin/sh
	# The table's screen in a desktop session. It knows the screen's password and no other.
	export TABLESIDE_STATE_DIR=/var/lib/tableside-screen TABLESIDE_CONFIG_DIR=/etc/tableside TABLESIDE_DISPLAY_FULLSCREEN=true
	[ -r "$TABLESIDE_STATE_DIR/secrets/display" ] || exit 0 # not the session of the table
	until /opt/tableside/venv/bin/python -m display; do sleep 2; done
	END
            take $units/tableside-display.service $units/tableside-display.service.d
            [ -n "$person" ] || [ -n "$dry$root" ] || stop "whose desktop shows the table? say --user NAME"
            if [ -n "$dry$root" ] || ! screen_given; then
                change "let ${person:-the desktop user} show the screen ($screen_state)" give_screen
            fi ;;
        none)
            take /etc/xdg/autostart/tableside.desktop $opt/bin/screen $screen_state \
                $units/tableside-display.service $units/tableside-display.service.d ;;
    esac
}
screen_given() {
    [ -f "$state/secrets/display" ] && cmp -s "$state/secrets/display" "$screen_state/secrets/display" \
        && [ "$(stat -c %U "$screen_state/secrets/display")" = "$person" ]
}
give_screen() {
    /usr/local/bin/tableside broker-files # makes the passwords when the table never ran
    install -d -m 700 -o "$person" "$screen_state" "$screen_state/secrets"
    install -m 600 -o "$person" "$state/secrets/display" "$screen_state/secrets/display"
    rm -f -- "$screen_state/secrets.json" # of an earlier version
}

start_everything() {
    if running_systemd; then
        change "tell systemd" systemctl daemon-reload
        change "tell udev" tell_udev
    fi
    if [ ! -L "$root$units/multi-user.target.wants/tableside.target" ]; then
        change_file "start the table at every boot (tableside.target)" \
            systemctl --quiet ${root:+"--root=$root"} enable tableside.target
    fi
    if [ ! -L "$root$units/multi-user.target.wants/update-tableside.path" ]; then
        change_file "let the screen ask for updates (update-tableside.path)" \
            systemctl --quiet ${root:+"--root=$root"} enable update-tableside.path
    fi
    if running_systemd; then
        change "wait for what the screen asks for" systemctl start update-tableside.path
        # a repeated call that changed nothing does not disturb a game
        start_again "$([ -n "$changed" ] && echo restart || echo start)"
    else
        tell "  systemd is not running here: the table starts at the next boot"
    fi
}
tell_udev() { # a container has none
    { udevadm control --reload && udevadm trigger --subsystem-match=tty --subsystem-match=gpio; } 2>/dev/null \
        || tell "  it is not running here"
}
others() { # further tables and a hall run the same code: they stop and start with it
    systemctl list-units --plain --no-legend --state=active 'tableside@*.target' tableside-hall.service | cut -d ' ' -f 1 | tr '\n' ' '
}
start_again() { # start|restart
    resting=${resting:-tableside.target $(others)}
    # shellcheck disable=SC2086  # a list of names
    change "$1 $resting" systemctl "$1" $resting
    resting=
}

# ---- another version, and back

tableside_here() { # the table's own command, also below --root
    if [ -z "$root" ]; then
        /usr/local/bin/tableside "$@"
    else
        TABLESIDE_STATE_DIR="$root$state" TABLESIDE_CONFIG_DIR="$root/etc/tableside" "$root$opt/venv/bin/tableside" "$@"
    fi
}
stop_table() {
    running_systemd || return 0
    [ -n "$dry" ] || resting="tableside.target $(others)"
    change "stop the table; a game in play goes on afterwards" systemctl --quiet stop tableside.target 'tableside@*.target' 'tableside-*.service'
}
back_up() {
    tableside_here backup > "$scratch/backup"
    tell "  $(cat "$scratch/backup")"
}
keep_previous() { # the environment holds absolute paths: it is moved away and must come back to the same place
    rm -rf -- "$root$previous"
    mkdir -p "$root$previous/units"
    "$root$opt/venv/bin/python" -P -c 'import companion; print(companion.__version__)' > "$root$previous/version" 2>/dev/null || :
    [ ! -f "$scratch/backup" ] || cp "$scratch/backup" "$root$previous/backup"
    cp -a "$root$units"/tableside* "$root$previous/units/" 2>/dev/null || :
    cp -a "$root/usr/local/bin/tableside" "$root$previous/tableside" 2>/dev/null || :
    mv "$root$opt/venv" "$root$previous/venv"
}
begin_update() {
    [ -n "$dry" ] || [ -x "$root$opt/venv/bin/tableside" ] || stop "there is nothing to update here: install first"
}
exchange() { # the only moments in which the table stands still
    if [ -z "$dry" ] && [ -d "$root$next" ] && ! "$root$next/bin/python" -P -m companion.cli --version; then
        stop "the new version does not start: everything is as it was"
    fi
    stop_table
    if [ -d "$root$state/games" ]; then
        change_file "back up games and settings" back_up
    fi
    [ -n "$dry" ] || half_done=yes
    change_file "keep the present version in $previous" keep_previous
    change_file "put the new version in its place" put_next
}
put_next() {
    if [ ! -d "$root$next" ]; then # without an environment, below --root, there is only the old one
        cp -a "$root$previous/venv" "$root$opt/venv"
        return
    fi
    mv "$root$next" "$root$opt/venv"
    # programs of an environment name its place in their first line
    grep -l -I -s "^#!$root$next/" "$root$opt/venv/bin"/* | while read -r program; do
        sed -i "1s|^#!$root$next/|#!$root$opt/venv/|" "$program"
    done
}
end_update() {
    if [ -z "$dry" ] && { [ -z "$root" ] || [ -n "$environment" ]; } && ! "$root$opt/venv/bin/tableside" --version; then
        exit 1 # `leave` puts the old one back
    fi
    half_done=
    tell "  the way back: sudo $opt/share/scripts/install.sh --rollback"
}
put_back() {
    [ -d "$root$previous/venv" ] || return 1
    rm -rf -- "$root$opt/venv"
    mv "$root$previous/venv" "$root$opt/venv"
    rm -rf -- "$root$units"/tableside*
    cp -a "$root$previous/units"/. "$root$units/"
    [ ! -f "$root$previous/tableside" ] || cp -a "$root$previous/tableside" "$root/usr/local/bin/tableside"
}
restore_games() { # the settings are root's, and the table's own command is not
    tableside_here restore --yes "$(cat "$root$previous/backup")"
    lies=$root$state/backups/tableside.toml.restored
    [ ! -f "$lies" ] || [ -L "$lies" ] || { install -m 644 "$lies" "$root/etc/tableside/tableside.toml" && rm -f -- "$lies"; }
}
roll_back() {
    [ -d "$root$previous/venv" ] || stop "there is no earlier version to go back to: nothing was updated here"
    stop_table
    change_file "put the version from before the last update back" put_back
    if [ -n "$games" ]; then
        [ -f "$root$previous/backup" ] || stop "that update found no games to back up"
        change_file "put the games and settings of $(cat "$root$previous/backup") back" restore_games
    elif [ -f "$root$previous/backup" ]; then
        tell "  games played since then stay; to go back to those of the backup: tableside restore $(cat "$root$previous/backup")"
    fi
    take $previous
    if running_systemd; then
        change "tell systemd" systemctl daemon-reload
        start_again start
    fi
}

# ---- taking it away

remove_packages() {
    [ -f "$root$opt/packages" ] || return 0
    brought=$(tr '\n' ' ' < "$root$opt/packages")
    change "remove what was brought and nothing else needs: $brought" forget_packages
}
forget_packages() { # only what becomes unneeded through us, not what was unneeded before
    removable() { apt-get -s -o APT::AutoRemove::RecommendsImportant=false -o APT::AutoRemove::SuggestsImportant=false autoremove | sed -n 's/^Remv \([^ ]*\).*/\1/p' | sort; }
    removable > "$scratch/before"
    # shellcheck disable=SC2086  # a list of names
    apt-mark auto $brought >/dev/null
    unneeded=$(removable | comm -13 "$scratch/before" -)
    # shellcheck disable=SC2086
    [ -z "$unneeded" ] || DEBIAN_FRONTEND=noninteractive apt-get purge -y -qq $unneeded
}
keep_games() { # FOLDER of one table
    [ -d "$root$1" ] || return 0
    for thing in "$root$1"/* "$root$1"/.[!.]*; do
        case ${thing##*/} in games | backups | '*' | '.[!.]*') ;; *) take "${thing#"$root"}" ;; esac
    done
    [ -n "$dry" ] || rmdir "$root$1/games" "$root$1/backups" 2>/dev/null || :
    if [ -z "$dry" ] && rmdir "$root$1" 2>/dev/null; then
        tell "+ remove $1: it held no games"
    else
        change "keep the games in $1, as root's" chown -R root:root "$1"
    fi
}
remove_everything() {
    if running_systemd; then
        change "stop the table" systemctl --quiet stop tableside.target 'tableside@*.target' 'tableside-*.service'
    fi
    if running_systemd; then change "stop waiting for updates" systemctl --quiet stop update-tableside.path; fi
    take $units/multi-user.target.wants/update-tableside.path $units/update-tableside.path $units/update-tableside.service
    take $units/multi-user.target.wants/tableside.target $units/tableside.target $units/tableside-display.service.d
    for room in $rooms display hall; do take "$units/tableside-$room.service"; done
    take $units/multi-user.target.wants/tableside-hall.service
    for link in "$root$units"/multi-user.target.wants/tableside@*.target; do take "${link#"$root"}"; done
    take "$units/tableside@.target" "$units/tableside-broker@.service" "$units/tableside-gate@.service" "$units/tableside-core@.service"
    take /etc/udev/rules.d/99-tableside.rules /etc/systemd/journald.conf.d/tableside.conf /etc/tmpfiles.d/tableside.conf /etc/sysusers.d/tableside.conf \
        /etc/xdg/autostart/tableside.desktop /usr/local/bin/tableside /etc/tableside $screen_state
    remove_packages
    take $opt
    for place in "$state" "$root$state"-tables/*; do
        keep_games "${place#"$root"}"
    done
    [ -n "$dry" ] || rmdir "$root$state-tables" 2>/dev/null || :
    if [ -n "$root" ] || getent passwd tableside >/dev/null; then
        change "remove the user tableside" userdel tableside
    fi
    if [ -n "$root" ] || getent passwd tableside-hall >/dev/null; then
        [ ! -d "$root/var/lib/tableside-hall" ] || change "keep the hall's results in /var/lib/tableside-hall, as root's" chown -R root:root /var/lib/tableside-hall
        change "remove the user tableside-hall" userdel tableside-hall
    fi
    if running_systemd; then change "tell systemd" systemctl daemon-reload; fi
}

if [ -n "$uninstall" ]; then
    remove_everything
    exit 0
fi
if [ -n "$rollback" ]; then
    roll_back
    exit 0
fi
[ -z "$update" ] || begin_update
which_kiosk
tell "kiosk: $kiosk"
add_packages
own_broker
add_user
add_environment
[ -z "$update" ] || exchange
add_files
add_screen
[ -z "$update" ] || end_update
start_everything
[ -n "$dry" ] || tell "Done. What works here: sudo tableside doctor"
