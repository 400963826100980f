# Makes the root folder of private-root.sh read-only, shows the program its own process in /proc, and starts it there:
#   sh -c "$(cat enter-private-root.sh)" sh exec|fork|filter PROGRAM…
# It needs a mount namespace that belongs to its user namespace.
set -e
how=$1
shift
mount -o remount,bind,ro,nosuid,nodev /sys
# The variables that shells set by themselves stay behind.
clean='env -u PWD -u OLDPWD -u SHLVL -u _'
# With a PID namespace, /proc has its few processes and nothing of the machine. The kernel refuses that where parts of its own
# /proc are covered, as in containers.
own_proc() { mount -t proc -o subset=pid,nosuid,nodev,noexec proc /sys/proc; }
one_process() { mount -o bind,nosuid,nodev,noexec "/proc/$1" /sys/proc/self; }
case $how in
exec)
  # Without a PID namespace, this shell becomes the program.
  one_process $$
  exec $clean unshare --root=/sys -- "$@"
  ;;
fork)
  # This shell is the first process of the PID namespace. The program is not: the kernel keeps signals with their usual effect
  # from that one, those of abort() and of the limit on CPU among them. The shell ends with 128 and the signal's number.
  if own_proc 2>/dev/null; then
    $clean unshare --root=/sys -- "$@"
  else
    (
      # $$ would be the number inside of the namespace.
      read -r pid rest </proc/self/stat
      one_process "$pid"
      exec $clean unshare --root=/sys -- "$@"
    )
  fi
  exit $?
  ;;
filter)
  # bubblewrap is the first process, and ends as the shell would. It sets PWD. It looks its own child up in /proc, which must
  # therefore be that of this PID namespace; the program never sees this one.
  own_proc
  mount -t proc -o nosuid,nodev,noexec proc /proc
  # 3 and 4 are the program's socket and its file.
  exec bwrap --bind /sys / --seccomp 5 -- $clean "$@" 5</sys/filter
  ;;
esac
