import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { type Confinement, RENDERER_USER, without } from '../../src/rendering/sandbox/confinement.ts'
import { isClosed, visibleFolder, works } from './confined.ts'

const isRoot = process.geteuid?.() === 0

/** What a renderer may not do, by the measure that refuses it. */

const folder = await mkdtemp(join(tmpdir(), 'pixelmill-confinement-'))
after(() => rm(folder, { recursive: true, force: true }))
// Open to all, so that only the measure can refuse a renderer.
await chmod(folder, 0o777)
const [open, becomeRoot] = ['open', 'become-root'].map((name) => join(folder, name)) as [string, string]
const secret = join(visibleFolder, 'secret')
await writeFile(open, 'x')
await chmod(open, 0o666)
await writeFile(secret, 'x', { mode: 0o600 })
if (isRoot) {
  await copyFile('/usr/bin/id', becomeRoot)
  await chmod(becomeRoot, 0o4755)
}

const socket = join(folder, 'socket')
const network = createServer().listen(0, '127.0.0.1')
const local = createServer().listen(socket)
await Promise.all([network, local].map((listener) => once(listener, 'listening')))
after(() => [network, local].map((listener) => listener.close()))
await chmod(socket, 0o777)
const port = String((network.address() as AddressInfo).port)

// A process that a renderer may signal by its user, as it may another renderer.
const asRenderer = isRoot ? ['setpriv', `--reuid=${RENDERER_USER}`, '--clear-groups'] : []
const [program = '', ...args] = [...asRenderer, 'sleep', '600']
const ofSameUser = spawn(program, args, { stdio: 'ignore' })
after(() => ofSameUser.kill('SIGKILL'))

export interface Row {
  /** The measure that is to refuse it. */
  readonly measure: string
  readonly attempt: string
  readonly argument?: string
  /** Measures that would refuse it too: it is tried without them, and then with all. */
  readonly besides?: readonly string[]
  readonly refused: RegExp
  /** Why the attempt would fail here even if nothing held it. */
  readonly skip?: string | false
}

export const NODE = ['node_permissions']
export const FILTER = 'system_call_filter'
const CALL = join(import.meta.dirname, 'programs/call.pl')
export const call = (x64: number, arm64: number, ...args: readonly (string | number)[]): string =>
  ['perl', CALL, process.arch === 'x64' ? x64 : arm64, ...args].join(' ')
export const needsPerl = !existsSync('/usr/bin/perl') && 'there is no perl here'
const DENIED = /^refused: ERR_ACCESS_DENIED/
const needsRoot = !isRoot && 'the server is not root here'

export const rows: readonly Row[] = [
  { measure: 'node_permissions', attempt: 'read a file', argument: open, besides: ['private_root'], refused: DENIED },
  { measure: 'node_permissions', attempt: 'read a file', argument: '/proc/self/environ', refused: DENIED },
  {
    measure: 'node_permissions',
    attempt: 'write a file',
    argument: open,
    besides: ['private_root', 'file_size_limit'],
    refused: DENIED,
  },
  { measure: 'node_permissions', attempt: 'run a program', argument: 'true', refused: DENIED },
  { measure: 'node_permissions', attempt: 'use an internal binding', argument: 'spawn_sync', refused: DENIED },
  { measure: 'node_permissions', attempt: 'connect', argument: port, besides: ['no_network', FILTER], refused: DENIED },
  {
    measure: 'pid_namespace',
    attempt: 'signal a process',
    argument: String(ofSameUser.pid),
    refused: /^refused: ESRCH/,
  },
  ...[
    // socket(AF_UNIX, SOCK_STREAM, 0); socket(AF_NETLINK, SOCK_RAW, 0); add_key("user", "name", "x", 1, KEY_SPEC_PROCESS_KEYRING);
    call(41, 198, 1, 1, 0),
    call(41, 198, 16, 3, 0),
    call(248, 217, 'user', 'name', 'x', 1, -2),
    // inotify_init1(0);
    call(294, 26, 0),
  ].map((argument) => ({
    measure: FILTER,
    attempt: 'run a program',
    argument,
    besides: NODE,
    refused: /^refused: Error: exit code 1/,
    skip: needsPerl,
  })),
  { measure: 'private_root', attempt: 'read a file', argument: open, besides: NODE, refused: /^refused: ENOENT/ },
  { measure: 'private_root', attempt: 'read a file', argument: '/etc/passwd', besides: NODE, refused: /^refused: ENOENT/ },
  {
    measure: 'private_root',
    attempt: 'read a file',
    argument: `/proc/${process.pid}/status`,
    besides: NODE,
    refused: /^refused: ENOENT/,
  },
  {
    measure: 'private_root',
    attempt: 'connect',
    argument: socket,
    besides: [...NODE, FILTER],
    refused: /^refused: ENOENT/,
  },
  {
    measure: 'private_root',
    attempt: 'write a file',
    argument: join(visibleFolder, 'new'),
    besides: [...NODE, 'file_size_limit'],
    refused: /^refused: EROFS/,
  },
  // From where it would have all powers again, and the parts of the kernel that they open.
  {
    measure: 'private_root',
    attempt: 'run a program',
    argument: 'unshare --user true',
    besides: [...NODE, FILTER],
    refused: /^refused/,
  },
  {
    measure: 'unprivileged_user',
    attempt: 'read a file',
    argument: secret,
    besides: [...NODE, 'no_capabilities'],
    refused: /^refused: EACCES/,
    skip: needsRoot,
  },
  {
    measure: 'user_namespace',
    attempt: 'read a file',
    argument: `/proc/${process.pid}/environ`,
    besides: [...NODE, 'private_root', 'unprivileged_user', 'no_capabilities'],
    refused: /^refused: EACCES/,
  },
  { measure: 'no_network', attempt: 'connect', argument: port, besides: [...NODE, FILTER], refused: /^refused: ENETUNREACH/ },
  { measure: 'process_limit', attempt: 'start 40 processes', besides: NODE, refused: /^refused: EAGAIN/ },
  {
    measure: 'no_capabilities',
    attempt: 'run a program',
    argument: 'unshare --net true',
    besides: [...NODE, FILTER],
    refused: /^refused: Error: exit code/,
    skip: !works.has('user_namespace') && 'a process outside a user namespace has no powers here',
  },
  {
    measure: 'memory_limit',
    attempt: 'take 1.5 GiB',
    refused: /^refused: ERR_MEMORY_ALLOCATION_FAILED|Array buffer allocation failed/,
  },
  { measure: 'cpu_limit', attempt: 'use 2 seconds of CPU', refused: /^ended by SIGXCPU/ },
  {
    measure: 'file_size_limit',
    attempt: 'write a file',
    argument: open,
    besides: [...NODE, 'private_root'],
    refused: /EFBIG|SIGXFSZ/,
  },
  { measure: 'open_file_limit', attempt: 'open 100 files', besides: NODE, refused: /^refused: EMFILE/ },
  {
    measure: 'no_core_dump',
    attempt: 'run a program',
    argument: 'ulimit -c unlimited',
    besides: NODE,
    refused: /^refused: Error: exit code/,
    skip: spawnSync('sh', ['-c', 'ulimit -c unlimited']).status !== 0 && 'no process may dump core here',
  },
  {
    measure: 'no_new_privileges',
    attempt: 'run a program',
    // The last command succeeds only as root.
    argument: `test "$(${becomeRoot} -u)" = 0`,
    besides: [...NODE, 'private_root', 'user_namespace', FILTER],
    refused: /^refused: Error: exit code 1/,
    skip:
      needsRoot ||
      (isClosed && 'its user cannot read its program here but in the private root, which has no set-user-id programs'),
  },
]

/** Why a measure cannot be tried here. */
export const lacking = (measure: string): string | false => !works.has(measure) && `this machine lacks ${measure}`

/** All that works here without these measures. */
export const measuresWithout = (names: readonly string[]): Confinement =>
  without(works, isClosed && names.includes('private_root') ? [...names, 'unprivileged_user'] : names)

/** An attempt without the paths of this run. */
export const describeAttempt = ({ attempt, argument = '' }: Pick<Row, 'attempt' | 'argument'>): string =>
  `${attempt} ${argument.replace(folder, '…').replace(CALL, '…').replace(visibleFolder, '…')}`.trim()
