/** A Linux system call that no renderer makes, with its numbers on x64 and arm64, if it has them. */
type Refused = readonly [name: string, x64: number, arm64?: number]

/**
 * System calls that decoders, Node and heif-enc do not need: unistd.h of Linux, asm/unistd_64.h and asm-generic/unistd.h. A deny
 * list instead of an allow list: another release of Node or of the C library may need a new call, and would then fail in the
 * middle of an image.
 */
const refusals: readonly Refused[] = [
  // Sockets. The socket to the server is open already.
  ['socket', 41, 198],
  ['socketpair', 53, 199],
  ['bind', 49, 200],
  ['connect', 42, 203],
  ['listen', 50, 201],
  ['accept', 43, 202],
  ['accept4', 288, 242],
  // Other processes.
  ['ptrace', 101, 117],
  ['process_vm_readv', 310, 270],
  ['process_vm_writev', 311, 271],
  ['process_madvise', 440, 440],
  ['process_mrelease', 448, 448],
  ['pidfd_open', 434, 434],
  ['pidfd_getfd', 438, 438],
  ['pidfd_send_signal', 424, 424],
  ['kcmp', 312, 272],
  // Namespaces and file systems.
  ['unshare', 272, 97],
  ['setns', 308, 268],
  ['mount', 165, 40],
  ['umount2', 166, 39],
  ['pivot_root', 155, 41],
  ['chroot', 161, 51],
  ['open_tree', 428, 428],
  ['move_mount', 429, 429],
  ['fsopen', 430, 430],
  ['fsconfig', 431, 431],
  ['fsmount', 432, 432],
  ['fspick', 433, 433],
  ['mount_setattr', 442, 442],
  ['name_to_handle_at', 303, 264],
  ['open_by_handle_at', 304, 265],
  ['fanotify_init', 300, 262],
  ['fanotify_mark', 301, 263],
  ['inotify_init', 253],
  ['inotify_init1', 294, 26],
  ['inotify_add_watch', 254, 27],
  ['inotify_rm_watch', 255, 28],
  ['quotactl', 179, 60],
  ['quotactl_fd', 443, 443],
  // Kernel subsystems with frequent vulnerabilities. libuv works without io_uring.
  ['io_uring_setup', 425, 425],
  ['io_uring_enter', 426, 426],
  ['io_uring_register', 427, 427],
  ['bpf', 321, 280],
  ['perf_event_open', 298, 241],
  ['userfaultfd', 323, 282],
  ['vmsplice', 278, 75],
  ['memfd_secret', 447, 447],
  ['add_key', 248, 217],
  ['request_key', 249, 218],
  ['keyctl', 250, 219],
  ['modify_ldt', 154],
  ['personality', 135, 92],
  ['move_pages', 279, 239],
  ['migrate_pages', 256, 238],
  // System V messages, semaphores and shared memory.
  ['msgget', 68, 186],
  ['msgsnd', 69, 189],
  ['msgrcv', 70, 188],
  ['msgctl', 71, 187],
  ['semget', 64, 190],
  ['semop', 65, 193],
  ['semtimedop', 220, 192],
  ['semctl', 66, 191],
  ['shmget', 29, 194],
  ['shmat', 30, 196],
  ['shmdt', 67, 197],
  ['shmctl', 31, 195],
  ['mq_open', 240, 180],
  ['mq_unlink', 241, 181],
  ['mq_timedsend', 242, 182],
  ['mq_timedreceive', 243, 183],
  ['mq_notify', 244, 184],
  ['mq_getsetattr', 245, 185],
  // The machine itself.
  ['init_module', 175, 105],
  ['finit_module', 313, 273],
  ['delete_module', 176, 106],
  ['create_module', 174],
  ['query_module', 178],
  ['get_kernel_syms', 177],
  ['kexec_load', 246, 104],
  ['kexec_file_load', 320, 294],
  ['reboot', 169, 142],
  ['swapon', 167, 224],
  ['swapoff', 168, 225],
  ['acct', 163, 89],
  ['syslog', 103, 116],
  ['vhangup', 153, 58],
  ['nfsservctl', 180, 42],
  ['lookup_dcookie', 212, 18],
  ['uselib', 134],
  ['ustat', 136],
  ['sysfs', 139],
  ['_sysctl', 156],
  ['settimeofday', 164, 170],
  ['clock_settime', 227, 112],
  ['adjtimex', 159, 171],
  ['clock_adjtime', 305, 266],
  ['sethostname', 170, 161],
  ['setdomainname', 171, 162],
  ['iopl', 172],
  ['ioperm', 173],
]

/**
 * Both architectures number new calls alike. Linux 6.8 began with this one; programs work without them, as on an older kernel.
 */
const FIRST_UNKNOWN = 457

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET: sched.h. */
const NEW_NAMESPACES = 0x7e02_0000
/** Its flags are in memory, which a filter cannot read; without clone3 the C library uses clone. */
const CLONE3 = 435

/** AUDIT_ARCH_… of audit.h, the number of clone, and the index in `Refused`. */
const architectures: Readonly<Partial<Record<NodeJS.Architecture, { audit: number; clone: number; at: 1 | 2 }>>> = {
  x64: { audit: 0xc000_003e, clone: 56, at: 1 },
  arm64: { audit: 0xc000_00b7, clone: 220, at: 2 },
}

/**
 * Offsets in `struct seccomp_data`, seccomp.h. Only the lower half of the first argument: both architectures are little-endian.
 */
const NUMBER = 0
const ARCHITECTURE = 4
const FIRST_ARGUMENT = 16

/** SECCOMP_RET_… of seccomp.h, with EPERM and ENOSYS of errno.h. */
const ALLOW = 0x7fff_0000
const NOT_PERMITTED = 0x0005_0001
const NO_SUCH_CALL = 0x0005_0026
const KILL_PROCESS = 0x8000_0000

/** One of classic BPF: `struct sock_filter` of filter.h. What a jump skips is counted in instructions. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, operand: number]

const load = (offset: number): Instruction => [0x20, 0, 0, offset]
const answer = (action: number): Instruction => [0x06, 0, 0, action]
/** The next instructions run if the value equals, is at least, or shares a bit with the operand; otherwise they are skipped. */
const whereEqual = (operand: number, skip: number): Instruction => [0x15, 0, skip, operand]
const whereAtLeast = (operand: number, skip: number): Instruction => [0x35, 0, skip, operand]
const whereAnyBit = (operand: number, skip: number): Instruction => [0x45, 0, skip, operand]

/** The system call filter in the kernel's format; undefined for an unknown architecture. */
export function systemCallFilter(architecture: NodeJS.Architecture): Buffer | undefined {
  const own = architectures[architecture]
  if (!own) return undefined
  const numbers = refusals.map((call) => call[own.at]).filter((number) => number !== undefined)
  const program: readonly Instruction[] = [
    load(ARCHITECTURE),
    // Calls of 32-bit programs have other numbers.
    [0x15, 1, 0, own.audit] as const,
    answer(KILL_PROCESS),
    load(NUMBER),
    whereAtLeast(FIRST_UNKNOWN, 1),
    answer(NO_SUCH_CALL),
    whereEqual(CLONE3, 1),
    answer(NO_SUCH_CALL),
    ...numbers.flatMap((number) => [whereEqual(number, 1), answer(NOT_PERMITTED)]),
    whereEqual(own.clone, 3),
    load(FIRST_ARGUMENT),
    whereAnyBit(NEW_NAMESPACES, 1),
    answer(NOT_PERMITTED),
    answer(ALLOW),
  ]
  const bytes = Buffer.alloc(8 * program.length)
  for (const [index, [code, ifTrue, ifFalse, operand]] of program.entries()) {
    bytes.writeUInt16LE(code, 8 * index)
    bytes.writeUInt8(ifTrue, 8 * index + 2)
    bytes.writeUInt8(ifFalse, 8 * index + 3)
    bytes.writeUInt32LE(operand, 8 * index + 4)
  }
  return bytes
}

/** Bytes in the syntax of the shell's printf: an octal escape for each. */
export const asPrintfFormat = (bytes: Buffer): string =>
  Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
