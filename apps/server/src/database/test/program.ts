import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface Program {
  readonly child: ChildProcess
  readonly lines: AsyncIterator<string>
  /** Resolves with standard error and the exit code after the end. */
  readonly ended: Promise<{ code: number | null; errors: string }>
}

export interface ProgramOptions {
  /** The only folder in which commands are found. */
  readonly path?: string
  /** Runs it as this user; the caller must be root. */
  readonly uid?: number
}

/** Runs one of `programs/` in a process of its own. */
export function startProgram(name: string, args: readonly string[], { path, uid }: ProgramOptions = {}): Program {
  const file = join(import.meta.dirname, 'programs', name)
  const asUser = uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups']
  const [first = process.execPath, ...rest] = [...asUser, process.execPath, file, ...args]
  const child = spawn(first, rest, { env: { ...process.env, PATH: path ?? process.env.PATH }, stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const endedValue = once(child, 'close').then(([code]) => ({ code: code as number | null, errors }))
  return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator](), ended: endedValue }
}

/** Fills a folder with nothing but these commands: a PATH on which the others are missing. */
export async function onlyCommands(folder: string, names: readonly string[]): Promise<string> {
  for (const name of names) await symlink(`/usr/bin/${name}`, join(folder, name))
  return folder
}
