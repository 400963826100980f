import { existsSync, readFileSync } from 'node:fs'
import { release } from 'node:os'
import { isAbsolute } from 'node:path'
import { buildRoot, enterRoot } from './private-root.ts'
import { asPrintfFormat, systemCallFilter } from './system-call-filter.ts'

/** The needs of a program that reads untrusted files; everything else is taken from it. */
export interface Task {
  /** A path, or a name that is looked up in the system's folders. */
  readonly program: string
  /** Absolute paths of files, or of folders with all of their contents. */
  readonly readable: readonly string[]
  readonly writable: readonly string[]
  /** Paths that do not exist, where Node looks for packages. */
  readonly lookups?: readonly string[]
  /** A folder of compiled code, part of `readable`, for a program that runs in Node. */
  readonly codeCache?: string | undefined
  readonly memoryMegabytes: number
  /** Seconds of CPU over its whole life. */
  readonly cpuSeconds: number
  /** Bytes of the largest file that it may write. */
  readonly fileBytes: number
}

/** Permissions that the settings grant a task. */
export type Grants = Pick<Task, 'memoryMegabytes' | 'cpuSeconds'>

/** Names of the measures in effect. */
export type Confinement = ReadonlySet<string>

export interface Measure {
  /** As in the metrics. */
  readonly name: string
  /** For docs/security.md: its purpose, and the mechanism. */
  readonly purpose: string
  readonly means: string
  /** Whether a renderer that a picture has taken over could do harm without it. */
  readonly essential?: true
  /** False if it would seem to work but do harm, or if Node does not support it. */
  readonly supported?: boolean
  /** Measures that it requires. */
  readonly needs?: readonly string[]
  /** Linux commands that drop a privilege and then become the program after them. */
  command?(task: Task, confinement: Confinement): readonly string[]
  /** Flags for a program that runs in Node. */
  flags?(task: Task): readonly string[]
}

/**
 * The user that renderers of a root server run as. No account has this number: the next one, of the user nobody, is PostgreSQL's
 * where root may make no user namespace.
 */
export const RENDERER_USER = 65_533

/** Node and libvips have nine threads and a dozen open descriptors: the limits are several times that, and still harmless. */
const PROCESSES = 32
const OPEN_FILES = 64

/** Since Linux 5.14, processes are counted for each user namespace; before, the fourth renderer would have reached the limit. */
const [major = 0, minor = 0] = release().split('.').map(Number)
const countsByNamespace = major > 5 || (major === 5 && minor >= 14)

const isRoot = process.geteuid?.() === 0

/** CAP_SYS_ADMIN is number 21: capability.h of Linux. In a container, root may lack it. */
const mayMount =
  isRoot &&
  existsSync('/proc/self/status') &&
  (effectiveCapabilities(readFileSync('/proc/self/status', 'utf8')) >> 21n) % 2n === 1n

function effectiveCapabilities(status: string): bigint {
  return BigInt(`0x${/^CapEff:\s+([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`)
}

/**
 * If the server is root, the root folder is built before the user changes: the program may be below a folder that others cannot
 * enter, such as /root.
 */
const isBuiltByRoot = (confinement: Confinement): boolean =>
  mayMount && confinement.has('unprivileged_user') && confinement.has('private_root')

const rootFolder = ({ program, readable, writable }: Task, confinement: Confinement): readonly string[] =>
  buildRoot(
    isAbsolute(program) ? [program, ...readable] : readable,
    writable,
    confinement.has('system_call_filter') ? filter : undefined,
  )

/** bubblewrap, where distributions install it: renderers get no PATH. */
const BUBBLEWRAP = '/usr/bin/bwrap'

const filterBytes = systemCallFilter(process.arch)
const filter = filterBytes && asPrintfFormat(filterBytes)

/** How the program enters its root folder: bubblewrap loads the filter just before it starts the program. */
function howToEnter(confinement: Confinement): 'exec' | 'fork' | 'filter' {
  if (confinement.has('system_call_filter')) return 'filter'
  return confinement.has('pid_namespace') ? 'fork' : 'exec'
}

const MEBIBYTE = 1024 * 1024
const DIES_WITH_SERVER = ['setpriv', '--pdeathsig=KILL']

/**
 * All sandbox measures, outermost first: the command of one row starts that of the next, so privileges that a row needs are
 * dropped below it. At the start they are tested, from the last row to the first.
 */
export const measures: readonly Measure[] = [
  {
    name: 'environment',
    purpose: 'there is no secret in its environment',
    means: 'seven variables, for malloc, thread pools, libvips and where compiled code is, and no other',
  },
  {
    name: 'system_call_filter',
    purpose:
      'it cannot reach parts of the kernel that no image needs: sockets, mounts, namespaces, tracing, BPF, io_uring, keys …',
    means: '`bwrap --seccomp` with a filter of ours, where bubblewrap is installed, on x64 and arm64',
    // The first to be left out if not all work: in a container with bubblewrap, it is the one that fails.
    needs: ['pid_namespace', 'private_root'],
    supported: existsSync(BUBBLEWRAP) && filter !== undefined,
    // bubblewrap starts when the private root is entered.
    command: () => [],
  },
  {
    name: 'unprivileged_user',
    purpose: 'it is not root, and owns none of its files',
    means: `\`setpriv --reuid\`: user ${RENDERER_USER}, where the server is root; elsewhere the server's own`,
    command: (task, confinement) => [
      ...(isBuiltByRoot(confinement) ? rootFolder(task, confinement) : []),
      ...(isRoot
        ? ['setpriv', `--reuid=${RENDERER_USER}`, `--regid=${RENDERER_USER}`, '--clear-groups', '--bounding-set=-all']
        : []),
    ],
  },
  {
    name: 'user_namespace',
    essential: true,
    purpose: 'it can neither trace the server nor read its memory, even as the same user',
    means: '`unshare --user`',
    command: () => ['unshare', '--user', '--map-root-user'],
  },
  {
    name: 'no_network',
    essential: true,
    purpose: 'it reaches no network, not even this machine, and no shared memory',
    means: '`unshare --net --ipc`: a network without interfaces',
    needs: ['user_namespace'],
    command: () => ['unshare', '--net', '--ipc'],
  },
  {
    name: 'pid_namespace',
    purpose: 'it can send a signal to no process but its own: not to the server, nor to another renderer of the same user',
    means: '`unshare --pid`: a PID namespace for each renderer',
    // The first process of the namespace is the one that enters the root folder.
    needs: ['user_namespace', 'private_root'],
    // How the server finds the renderer behind the process that it started.
    supported: existsSync(`/proc/${process.pid}/task/${process.pid}/children`),
    command: (_task, confinement) => [
      ...(confinement.has('dies_with_server') ? DIES_WITH_SERVER : []),
      'unshare',
      '--pid',
      '--fork',
      '--kill-child',
    ],
  },
  {
    name: 'private_root',
    essential: true,
    purpose: "it sees no file but the system's programs, Node, our code and its packages, and can change none",
    means: '`unshare --mount` and a root folder of read-only mounts',
    needs: ['user_namespace'],
    command: (task, confinement) => [
      ...(isBuiltByRoot(confinement) ? ['unshare', '--mount'] : rootFolder(task, confinement)),
      ...enterRoot(howToEnter(confinement)),
    ],
  },
  {
    name: 'process_limit',
    purpose: 'it cannot fill the process table',
    means: `\`prlimit --nproc=${PROCESSES}\`, which counts threads; from Linux 5.14, which counts each namespace by itself`,
    // Root is never refused a process; outside a namespace all renderers, and all other processes of the user, count together.
    needs: ['user_namespace', 'unprivileged_user'],
    supported: countsByNamespace,
    command: () => ['prlimit', `--nproc=${PROCESSES}`],
  },
  {
    name: 'memory_limit',
    essential: true,
    purpose: "a bomb ends its own renderer, not the machine's memory",
    means: '`prlimit --data`: `RENDER_MEMORY_MB` of private memory',
    command: ({ memoryMegabytes }) => ['prlimit', `--data=${memoryMegabytes * MEBIBYTE}`],
  },
  {
    name: 'cpu_limit',
    essential: true,
    purpose: 'a renderer that is out of control ends by itself',
    means: '`prlimit --cpu`; a time-out, `RENDER_TIMEOUT_S` for most, ends each image long before',
    // At the second limit the kernel kills a process that has survived the first limit's signal.
    command: ({ cpuSeconds }) => ['prlimit', `--cpu=${cpuSeconds}:${cpuSeconds + 5}`],
  },
  {
    name: 'file_size_limit',
    purpose: 'it can write no file',
    means: '`prlimit --fsize=0`',
    command: ({ fileBytes }) => ['prlimit', `--fsize=${fileBytes}`],
  },
  {
    name: 'open_file_limit',
    purpose: "it cannot use up the system's file table",
    means: `\`prlimit --nofile=${OPEN_FILES}\``,
    command: () => ['prlimit', `--nofile=${OPEN_FILES}`],
  },
  {
    name: 'no_core_dump',
    purpose: 'a crash leaves no picture on the disk',
    means: '`prlimit --core=0`',
    command: () => ['prlimit', '--core=0'],
  },
  {
    name: 'no_capabilities',
    purpose: 'it has none of the powers of root, whatever its user',
    means: '`setpriv --bounding-set=-all --inh-caps=-all`',
    // Outside a namespace an ordinary user has no capabilities, and may not change the bounding set.
    command: (_task, confinement) =>
      confinement.has('user_namespace') || (isRoot && !confinement.has('unprivileged_user'))
        ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all']
        : ['setpriv', '--inh-caps=-all'],
  },
  {
    name: 'no_new_privileges',
    essential: true,
    purpose: 'no set-user-id program gives it any power back',
    means: '`setpriv --no-new-privs`',
    command: () => ['setpriv', '--no-new-privs'],
  },
  {
    name: 'dies_with_server',
    essential: true,
    purpose: 'none is left behind, however the server ends',
    means: '`setpriv --pdeathsig KILL`',
    command: () => DIES_WITH_SERVER,
  },
  {
    name: 'node_permissions',
    purpose:
      'JavaScript in its main thread can read our code and its packages, and do nothing else: no write, process or connection',
    means:
      "`node --permission`; add-ons and threads are allowed, since libvips is one and JPEG XL is decoded in some, so this holds neither a decoder's own code nor a thread's",
    supported: process.allowedNodeEnvironmentFlags.has('--permission'),
    flags: ({ readable, lookups = [], codeCache }) => [
      '--permission',
      '--allow-addons',
      // Of libvips in WebAssembly, which decodes JPEG XL. Node does not apply its permissions to threads.
      '--allow-worker',
      ...readable.map((path) => `--allow-fs-read=${path}`),
      // Node looks for a package.json in them, and allows what is in a folder only where there is one.
      ...lookups.flatMap((path) => [`--allow-fs-read=${path}`, `--allow-fs-read=${path}/*`]),
      // Node only reads compiled code if it might write it: a renderer drops that right before its first image.
      ...(codeCache === undefined ? [] : [`--allow-fs-write=${codeCache}`]),
      // Its warnings about add-ons and threads are addressed by all the rows above.
      '--disable-warning=PERM0001',
      '--disable-warning=PERM0006',
    ],
  },
]

/** Whether the program runs as RENDERER_USER, and so must own the files that it writes. */
export const userChanges = (confinement: Confinement): boolean => isRoot && confinement.has('unprivileged_user')

/** The measures that remain without these, and without those that depend on them. */
export function without(confinement: Confinement, names: readonly string[]): Confinement {
  const missing = new Set(names)
  const lacks = ({ name, needs = [] }: Measure) => !missing.has(name) && needs.some((requirement) => missing.has(requirement))
  for (let dependent = measures.find(lacks); dependent; dependent = measures.find(lacks)) missing.add(dependent.name)
  return confinement.difference(missing)
}

/** The command line in front of a program that applies these measures to it. */
export const commandPrefix = (task: Task, confinement: Confinement): readonly string[] =>
  measures
    .filter(({ name }) => confinement.has(name))
    .map((measure) => measure.command?.(task, confinement) ?? [])
    .reduce(appendCommand, [])
    .flat()

const JOINABLE: ReadonlySet<string | undefined> = new Set(['prlimit', 'setpriv'])

/** Two rows with the same program share one call of it: each program that is started takes a millisecond of CPU. */
function appendCommand(commands: readonly (readonly string[])[], next: readonly string[]): readonly (readonly string[])[] {
  const [program, ...options] = next
  const last = commands.at(-1) ?? []
  const joins = JOINABLE.has(program) && last[0] === program && last.slice(1).every((word) => word.startsWith('--'))
  return joins ? [...commands.slice(0, -1), [...last, ...options]] : [...commands, next]
}

/** The flags of Node for these measures. */
export const nodeFlags = (task: Task, confinement: Confinement): readonly string[] =>
  measures.filter(({ name }) => confinement.has(name)).flatMap((measure) => measure.flags?.(task) ?? [])
