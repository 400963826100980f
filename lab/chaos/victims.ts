import { readFile } from 'node:fs/promises'
import { workingProcess } from '@pixelmill/engine/rendering/sandbox/processes'
import type { Random } from './archives.ts'
import type { KeptProcess } from './kept-process.ts'
import type { Strike } from './service.ts'

type Find = () => Promise<readonly number[]>

/** `kill -9` to one of the processes of its kind. */
export const killOne =
  (find: Find): Strike =>
  async (random) => {
    const pids = await find()
    const pid = pids[random(pids.length)]
    if (pid === undefined) throw new Error('there is none to kill')
    process.kill(pid, 'SIGKILL')
  }

/** `kill -9` to all at once, as when their machine fails. */
export const killTogether =
  (groups: readonly (readonly KeptProcess[])[]): Strike =>
  async (random) => {
    for (const victim of groups[random(groups.length)] ?? []) process.kill(victim.pid(), 'SIGKILL')
  }

/** Ends a process and delays its restart by 1 to `seconds` seconds. */
export const endFor =
  (victim: KeptProcess, signal: NodeJS.Signals, seconds: number): Strike =>
  async (random: Random) =>
    victim.end(signal, (1 + random(seconds)) * 1000)

export const one = (victim: KeptProcess): Find => any([victim])

export const any =
  (processes: readonly KeptProcess[]): Find =>
  async () =>
    processes.map((process) => process.pid())

export const renderersOf =
  (processes: readonly KeptProcess[]): Find =>
  async () =>
    (await Promise.all(processes.map((process) => childrenOf(process.pid(), /renderer\.ts/).catch(() => []))))
      .flat()
      .map((pid) => workingProcess(pid) ?? pid)

export const backendsOf =
  (postmaster: () => Promise<number>): Find =>
  async () =>
    childrenOf(await postmaster(), /^postgres: pixelmill /)

/** Descendant processes at any depth whose command line matches. */
async function childrenOf(pid: number, like: RegExp): Promise<readonly number[]> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').filter(Boolean).map(Number)
  const processIds = await Promise.all(
    children.map(async (child) => (like.test(await commandOf(child)) ? [child] : childrenOf(child, like).catch(() => []))),
  )
  return processIds.flat()
}

const commandOf = async (pid: number): Promise<string> =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ')
