#!/bin/sh
# What Raspberry Pi OS has and Debian has not: the gpio-sim driver, built from Debian's own source of the same kernel, and lgpio
# for its Python. The tools are taken away again.
set -eu
export DEBIAN_FRONTEND=noninteractive
kernel=$(ls /lib/modules)
version=$(echo "$kernel" | cut -d. -f1,2)
apt-get update -qq
dpkg-query -W -f '${Package}\n' | sort > /tmp/before
apt-get install -y -qq --no-install-recommends "linux-headers-$kernel" "linux-source-$version" make xz-utils \
    gcc libc6-dev python3-dev python3-venv swig
rm -rf /tmp/gpio && mkdir /tmp/gpio && cd /tmp/gpio
source=linux-source-$version
tar -xJf "/usr/src/$source.tar.xz" --strip-components=3 "$source/drivers/gpio/gpio-sim.c" "$source/kernel/irq/irq_sim.c"
# as a module of its own it may not look a descriptor up by number; the way through the interrupt's data is open to all
sed -i 's/irq_to_desc(irqnum)/irq_data_to_desc(irq_get_irq_data(irqnum))/; s/#include <linux.irq_sim.h>/#include <linux\/irqdesc.h>\n&/' irq_sim.c
printf '#include <linux/module.h>\nMODULE_LICENSE("GPL");\n' >> irq_sim.c
echo 'obj-m := gpio-sim.o irq_sim.o' > Makefile
make -s -C "/lib/modules/$kernel/build" M=/tmp/gpio modules
strip --strip-debug ./*.ko
install -D -m 644 -t "/lib/modules/$kernel/updates" ./*.ko
depmod "$kernel"
cd / && rm -rf /tmp/gpio
python3 -m venv /tmp/tools
PYPI=1 /tmp/tools/bin/pip wheel -q --no-deps -w /opt/tableside-lab 'lgpio==0.2.2.0' # PYPI: with its C library inside
rm -rf /tmp/tools
dpkg-query -W -f '${Package}\n' | sort | comm -13 /tmp/before - | xargs apt-get purge -y -qq
apt-get clean
