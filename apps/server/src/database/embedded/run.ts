import { spawn } from 'node:child_process'
import { chmod, chown, lchown, readdir, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { StartError } from '@pixelmill/codecs/contract/start-error'

export interface Run {
  /** Null if a signal ended it, or if it could not be started. */
  readonly code: number | null
  /** Standard output and error together, the last 64 KiB. */
  readonly output: string
}

export interface RunOptions {
  readonly timeoutMs: number
  readonly uid?: number
  readonly gid?: number
}

/** The environment variables that PostgreSQL and its tools may see: ours contain secrets. */
export const CHILD_ENV: Readonly<Record<string, string>> = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' }

const OUTPUT_BYTES = 65_536

/** Runs a command to its end. A missing command is a result too (code null), not an error. */
export function run(command: readonly [string, ...string[]], { timeoutMs, ...ids }: RunOptions): Promise<Run> {
  const [file, ...args] = command
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(file, args, {
      ...ids,
      cwd: '/',
      env: CHILD_ENV,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
    })
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-OUTPUT_BYTES)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('error', (error) => resolve({ code: null, output: error.message }))
    child.once('close', (code) => resolve({ code, output }))
  })
}

/**
 * The reason why one of PostgreSQL's programs failed: the first error that it printed, with its detail. initdb prints the error
 * of the server that it runs, and then that it removes its files. Without an error, the last line.
 */
export function whyFailed(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const at = lines.findIndex((line) => FAULT.test(line))
  if (at < 0) return lines.at(-1)?.trim() ?? 'no message'
  const [, error = ''] = FAULT.exec(lines[at] ?? '') ?? []
  const [, detail] = DETAIL.exec(lines[at + 1] ?? '') ?? []
  return [error, ...(detail === undefined ? [] : [detail])].join('. ').replace(/\.$/, '')
}

/** The server prints severities in upper case, its tools in lower case. */
const FAULT = /\b(?:PANIC|FATAL|ERROR|error):\s+(.+)$/
const DETAIL = /\b(?:DETAIL|detail):\s+(.+)$/

/** How PostgreSQL's programs are started: PostgreSQL refuses user 0, and initdb refuses a user without a name. */
export interface RunAs {
  /** Commands in front of the program; each replaces itself by the next, so the process id stays. */
  readonly prefix: readonly string[]
  /** Passed to spawn if the process has to change its user. */
  readonly ids: { readonly uid?: number; readonly gid?: number }
  /** The user that must own PostgreSQL's files, as seen from this process. */
  readonly owner: number
}

/** User `nobody`: the second highest 16-bit id, in every distribution's user list and the kernel's overflowuid. */
const NOBODY = 65_534
const MAPPED = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`] as const
/** Has the kernel send PostgreSQL a shutdown signal when this process dies, however it dies. */
const WITH_US = ['setpriv', '--pdeathsig', 'INT'] as const
const PROBE_MS = 10_000

/**
 * Chooses the user for PostgreSQL: our own; otherwise our own, mapped to user nobody; otherwise, as root, user nobody itself.
 * @throws StartError if none of them can run `postgres` and enter `dataDir`
 */
export async function chooseUser(dataDir: string, postgres: string): Promise<RunAs> {
  const owner = process.geteuid?.() ?? 0
  const usual: RunAs = { prefix: [...MAPPED, ...WITH_US], ids: {}, owner }
  // As root on Linux: one trial instead of two, for which a start would wait one after the other.
  if (owner === 0 && (await succeeds(usual, canRun(dataDir, postgres)))) return usual
  const way = await chooseWay(dataDir, postgres)
  const diesWithUs = process.platform === 'linux' && (await succeeds(way, [...WITH_US, 'true']))
  return diesWithUs ? { ...way, prefix: [...way.prefix, ...WITH_US] } : way
}

async function chooseWay(dataDir: string, postgres: string): Promise<RunAs> {
  const owner = process.geteuid?.() ?? 0
  if (owner !== 0 && hasName()) return { prefix: [], ids: {}, owner }
  const mappedUser: RunAs = { prefix: MAPPED, ids: {}, owner }
  if (await succeeds(mappedUser, canRun(dataDir, postgres))) return mappedUser
  if (owner !== 0) throw new StartError(`PostgreSQL does not run as user ${owner}, which has no name in /etc/passwd: ${REMEDY}.`)
  await letNobodyEnter(dataDir)
  const nobody: RunAs = { prefix: [], ids: { uid: NOBODY, gid: NOBODY }, owner: NOBODY }
  if (await succeeds(nobody, canRun(dataDir, postgres))) return nobody
  throw new StartError(
    `PostgreSQL does not run as root, and user nobody cannot enter ${dataDir} or execute ${postgres}: ${REMEDY}.`,
  )
}

const canRun = (dataDir: string, postgres: string): readonly string[] => [
  'sh',
  '-c',
  'test -x "$1" && test -x "$2"',
  'sh',
  postgres,
  dataDir,
]

const REMEDY = 'start Pixelmill as an ordinary user or set DATABASE_URL'

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    // The only failure of this system call: the user list has no entry for this user.
    return false
  }
}

async function succeeds(way: RunAs, command: readonly string[]): Promise<boolean> {
  const [first = 'true', ...rest] = [...way.prefix, ...command]
  const { code } = await run([first, ...rest], { ...way.ids, timeoutMs: PROBE_MS })
  return code === 0
}

/**
 * A folder that is closed to others (as we create it) is opened for passage only, without listing, to the group of user nobody.
 */
async function letNobodyEnter(dataDir: string): Promise<void> {
  const { mode, uid } = await stat(dataDir)
  if ((mode & 0o077) !== 0) return
  await chown(dataDir, uid, NOBODY)
  await chmod(dataDir, 0o710)
}

/**
 * Changes the owner of a folder and its contents. Only root can do so, and only root needs to: after a move between machines
 * with and without user namespaces, the files have the other owner.
 */
export async function giveFolder(path: string, owner: number): Promise<void> {
  if (process.geteuid?.() !== 0 || (await stat(path)).uid === owner) return
  for (const entry of await readdir(path, { recursive: true })) await lchown(join(path, entry), owner, owner)
  // The folder itself comes last, so that an interrupted run is repeated.
  await lchown(path, owner, owner)
}

/** Polls every `everyMs` until the check succeeds (true) or `timeoutMs` have passed (false). Checks at least once. */
export async function waitUntil(
  isSo: () => boolean | Promise<boolean>,
  { timeoutMs, everyMs }: { readonly timeoutMs: number; readonly everyMs: number },
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (!(await isSo())) {
    if (performance.now() >= deadline) return false
    await pause(everyMs)
  }
  return true
}
