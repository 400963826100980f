import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** V8 needs little here, since pixels live outside its heap; a small young generation keeps the process small. */
const nodeOptions = ['--max-old-space-size=128', '--max-semi-space-size=1', '--disable-warning=ExperimentalWarning']

/**
 * All the environment a renderer has. Two malloc arenas instead of eight for each core: measured 325 MB instead of
 * 488 MB after 160 mixed images, at the same speed. One image at a time needs no more than two threads of libuv.
 */
const environment = { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2' }

const available = (command: string, ...args: string[]): boolean => spawnSync(command, args, { stdio: 'ignore' }).status === 0

/**
 * Linux commands that take rights away before the renderer begins: it dies with the server however that dies, gains no
 * privileges, and cannot have more private memory than this. Where util-linux is missing it runs without them.
 */
function confinement(memoryMegabytes: number): readonly string[] {
  if (process.platform !== 'linux') return []
  const alone = available('setpriv', '--version') ? ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs'] : []
  const bounded = available('prlimit', '--version') ? ['prlimit', `--data=${memoryMegabytes * 1024 * 1024}`, '--core=0'] : []
  return [...alone, ...bounded]
}

/** Returns a function that starts one renderer process, with its wire as descriptor 3. */
export function rendererSpawner(memoryMegabytes: number): () => ChildProcess {
  const [command = process.execPath, ...args] = [
    ...confinement(memoryMegabytes),
    process.execPath,
    ...nodeOptions,
    join(import.meta.dirname, 'renderer.ts'),
  ]
  // Its own process group: Ctrl-C in a terminal reaches the server alone, which lets running images finish.
  return () => spawn(command, args, { cwd: '/', env: environment, detached: true, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
}
