# Builds a root folder in which nothing is but what a table of file systems names, and becomes the program behind `--`:
#   sh -c "$(cat private-root.sh)" sh FSTAB FILTER [FILE…] -- PROGRAM…
# It needs a mount namespace of its own, and the powers of root over it. FSTAB names every path under /sys, which Linux always
# has and no image needs. FILTER is the format of printf for the filter of system calls, or empty. FILEs are made empty, to be
# mounted over.
set -e
fstab=$1
filter=$2
shift 2
mount -t tmpfs -o mode=755,size=1m tmpfs /sys
mkdir -p /sys/etc /sys/proc/self
while [ "$1" != -- ]; do
  mkdir -p "/sys${1%/*}"
  : >"/sys$1"
  shift
done
shift
printf '%s\n' "$fstab" >/sys/etc/fstab
[ -z "$filter" ] || printf "$filter" >/sys/filter
mount -a -T /sys/etc/fstab
exec "$@"
