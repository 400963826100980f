import { chmod, chown, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { StartError } from '../../contract/start-error.ts'
import { run } from './run.ts'

/** How PostgreSQL's programs are started: it refuses user 0, and initdb refuses a user without a name. */
export interface RunAs {
  /** Commands to put in front of the program; each of them replaces itself by the next, so the process id stays. */
  readonly prefix: readonly string[]
  /** Given to spawn when the process has to change its user. */
  readonly ids: { readonly uid?: number; readonly gid?: number }
  /** The user who must own PostgreSQL's files, as seen from this process. */
  readonly owner: number
}

/** `nobody`: the highest 16-bit user but one, in every distribution's user list and in the kernel's overflowuid. */
const NOBODY = 65_534
const MAPPED = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`] as const
/** The kernel sends PostgreSQL a shutdown when we die, however we die. */
const WITH_US = ['setpriv', '--pdeathsig', 'INT'] as const
const PROBE_MS = 10_000

/**
 * Chooses the user for PostgreSQL: ours; else ours under the name of nobody; else, as root, nobody itself.
 * @throws StartError when none of them can run `postgres` and enter `dataDir`.
 */
export async function chooseUser(dataDir: string, postgres: string): Promise<RunAs> {
  const way = await chooseWay(dataDir, postgres)
  const diesWithUs = process.platform === 'linux' && (await succeeds(way, [...WITH_US, 'true']))
  return diesWithUs ? { ...way, prefix: [...way.prefix, ...WITH_US] } : way
}

async function chooseWay(dataDir: string, postgres: string): Promise<RunAs> {
  const owner = process.geteuid?.() ?? 0
  const canRun = ['sh', '-c', 'test -x "$1" && test -x "$2"', 'sh', postgres, dataDir]
  if (owner !== 0 && hasName()) return { prefix: [], ids: {}, owner }
  const mapped: RunAs = { prefix: MAPPED, ids: {}, owner }
  if (await succeeds(mapped, canRun)) return mapped
  if (owner !== 0) throw new StartError(`PostgreSQL will not run as user ${owner}, who has no name in /etc/passwd: ${MEND}.`)
  await letNobodyEnter(dataDir)
  const nobody: RunAs = { prefix: [], ids: { uid: NOBODY, gid: NOBODY }, owner: NOBODY }
  if (await succeeds(nobody, canRun)) return nobody
  throw new StartError(`PostgreSQL will not run as root, and user nobody may not enter ${dataDir} or run ${postgres}: ${MEND}.`)
}

const MEND = 'start Pixelmill as an ordinary user or set DATABASE_URL'

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    // The system call's only failure: no line for this user in the user list.
    return false
  }
}

async function succeeds(way: RunAs, command: readonly string[]): Promise<boolean> {
  const [first = 'true', ...rest] = [...way.prefix, ...command]
  const { code } = await run([first, ...rest], { ...way.ids, timeoutMs: PROBE_MS })
  return code === 0
}

/** A folder closed to everybody else (as we make it) is opened for passage, to nobody's group and without listing. */
async function letNobodyEnter(dataDir: string): Promise<void> {
  const { mode, uid } = await stat(dataDir)
  if ((mode & 0o077) !== 0) return
  await chown(dataDir, uid, NOBODY)
  await chmod(dataDir, 0o710)
}
