#!/bin/sh
# The first process of a machine whose system is never written to: a layer in memory lies over it, and the table's state is on a
# disk of its own. What docs/build.md does with Raspberry Pi OS, without its tools.
set -eu
mount -t tmpfs tmpfs /mnt
mkdir /mnt/upper /mnt/work /mnt/root
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
mount -t ext4 -o noatime /dev/ubdb /mnt/root/var/lib/tableside
cd /mnt/root
# the system's own disk is not asked for again: what is here is the root
: > etc/fstab
pivot_root . mnt
exec chroot . /sbin/init
