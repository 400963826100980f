import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The purpose of a process, as the tables name it. */
export type Role = 'api' | 'renderers' | 'postgres' | 'npm'

export interface RunningProcess {
  readonly pid: number
  readonly parent: number
  /** CPU milliseconds of the process itself, and of dead children that it has waited for. */
  readonly ownMs: number
  readonly reapedMs: number
}

// USER_HZ is 100 on every Linux that Node runs on, whatever the kernel's own tick is.
const msPerTick = 10

const readStat = (pid: number): RunningProcess | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may itself contain spaces and parentheses: count the fields after the last one.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15)
    return { pid, parent: fields[1] ?? 0, ownMs: (utime + stime) * msPerTick, reapedMs: (cutime + cstime) * msPerTick }
  } catch {
    return undefined // It ended after it was listed.
  }
}

const worksIn = (pid: number, folder: string) => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
  } catch {
    return false
  }
}

/**
 * The process, all its living descendants, and any other process that works inside `folder` (a database that detached itself).
 * Each dead descendant counts once: its CPU time is included in that of the living process that waited for it.
 */
export function processTree(root: number, folder?: string): RunningProcess[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter((one) => one !== undefined)
  const tree = new Map(all.filter(({ pid }) => pid === root || (folder && worksIn(pid, folder))).map((one) => [one.pid, one]))
  for (let size = -1; size !== tree.size; ) {
    size = tree.size
    for (const one of all) if (tree.has(one.parent)) tree.set(one.pid, one)
  }
  return [...tree.values()]
}

/** Determines the purpose of a server process from its command line. */
export function roleOf(pid: number): Role {
  let command = ''
  try {
    command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    // Ended: its little CPU time is counted as the server's own.
  }
  if (/^\S*postgres/.test(command)) return 'postgres'
  if (/^(npm|\S*sh\s)/.test(command)) return 'npm'
  return /render/.test(command) ? 'renderers' : 'api'
}
