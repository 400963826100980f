# Starts a program in a root folder of its own, in which nothing is but what its table of file systems names.
# For a process that is root in its own user and mount namespaces:
#   sh private-root.sh FSTAB [FILE…] -- PROGRAM…
# FSTAB names every path under /sys, which Linux always has and no image needs. FILEs are made empty first, to be mounted over.
set -e
fstab=$1
shift
mount -t tmpfs -o mode=755,size=1m tmpfs /sys
mkdir -p /sys/etc /sys/proc/self
while [ "$1" != -- ]; do
  mkdir -p "/sys${1%/*}"
  : >"/sys$1"
  shift
done
shift
# Of all processes it sees itself alone: this shell becomes the program.
printf '%s\n' "$fstab" "/proc/$$ /sys/proc/self none bind,nosuid,nodev,noexec 0 0" >/sys/etc/fstab
mount -a -T /sys/etc/fstab
mount -o remount,bind,ro,nosuid,nodev /sys
# The variables that shells set by themselves stay behind.
exec env -u PWD -u OLDPWD -u SHLVL -u _ unshare --root=/sys -- "$@"
