import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { lowerSession, niced } from './lower-priority.ts'

const root = join(import.meta.dirname, '../..')
const KEPT = join(root, 'node_modules/.cache/pixelmill')

/**
 * Where Node finds the code of renderers without its types and compiled, which else takes each of them 0.25 s of processor
 * time and 20 MB. Only a program that never sees a file of strangers writes it; renderers read it.
 */
export const CODE_CACHE = join(KEPT, 'renderers')

/** Has the name of the sources that the code was compiled from; written last. */
const STAMP = join(CODE_CACHE, 'compiled')

/** Every user may enter and read. */
const [FOLDER, FILE] = [0o755, 0o644]
const isOpen = (path: string): boolean => (statSync(path).mode & 0o005) === 0o005

/** The folder, where it is filled, and renderers of whatever user can read it. */
export const keptCode = (): string | undefined =>
  existsSync(STAMP) && [join(KEPT, '..'), KEPT, CODE_CACHE].every(isOpen) ? CODE_CACHE : undefined

/** Node asks the contents of each file; this only has to change when some of them do. */
function sourcesNow(): string {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const times = [...sources.map((name) => join('src', name)), 'package-lock.json'].map((name) => mtime(join(root, name)))
  return `${process.version} ${process.geteuid?.()} ${sources.length} ${Math.max(...times)}`
}

/** 0 for a file that is not there: an installation needs no lock. */
const mtime = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Compiling takes 1 s of what others leave of the processors. */
const PATIENCE_MS = 600_000
const NICE = 19

/**
 * Compiles the code of renderers, where that has not been done since it changed: renderers of the next server start faster.
 * @param command starts a renderer that may write
 * @throws Error where the folder may not be written, which does no harm
 */
export async function keepCode(command: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const sources = sourcesNow()
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) return
  for (const folder of [KEPT, CODE_CACHE]) await mkdir(folder, { recursive: true, mode: FOLDER })
  const [program = '', ...args] = niced(command, NICE)
  const child = spawn(program, args, {
    cwd: '/',
    env: { ...env, NODE_COMPILE_CACHE: CODE_CACHE },
    // A session of its own: lowering that of the server would lower the server.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    timeout: PATIENCE_MS,
  })
  lowerSession(child, NICE)
  const [code] = await ended(child)
  if (code !== 0) throw new Error(`a renderer that was to be compiled ended with ${code}`)
  for (const entry of await readdir(CODE_CACHE, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? FOLDER : FILE)
  await writeFile(STAMP, sources, { mode: FILE })
}

/** It says that it is ready, is told that there is nothing to do, and writes its code as it ends. */
async function ended(child: ChildProcess): Promise<unknown[]> {
  const wire = child.stdio[3] as Duplex
  wire.once('data', () => wire.end())
  return await once(child, 'exit')
}
