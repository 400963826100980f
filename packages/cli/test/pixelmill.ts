import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'

export const PROGRAM = join(import.meta.dirname, '../bin/pixelmill.mjs')

/** A JSON line, as the contract has it. */
export interface Line {
  readonly source: string
  readonly target: string | null
  readonly targets?: readonly string[]
  readonly status: 'done' | 'unchanged' | 'failed'
  readonly inputBytes: number
  readonly outputBytes: number
  readonly ms: number
  readonly keptSource?: true
  readonly error?: { readonly code: string; readonly message: string }
}

export interface Ran {
  readonly code: number | null
  readonly output: Buffer
  readonly errors: string
  /** The JSON lines of standard output. */
  lines(): readonly Line[]
}

interface Options {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: Buffer
}

/** Commands of this file of tests keep their state there. */
const STATE = mkdtempSync(join(tmpdir(), 'pixelmill-state-'))
process.once('exit', () => rmSync(STATE, { recursive: true, force: true }))

/** Starts the command with nothing in its environment but these variables. */
export function start(args: readonly string[], { cwd, env, input }: Options = {}): { child: ChildProcess; ended: Promise<Ran> } {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd,
    env: { PATH: process.env.PATH, XDG_STATE_HOME: STATE, ...env },
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const end = Promise.all([buffer(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([output, errors, [code]]): Ran => ({
      code,
      output,
      errors,
      lines: () =>
        output
          .toString()
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line)),
    }),
  )
  return { child, ended: end }
}

export const pixelmill = (args: readonly string[], options?: Options): Promise<Ran> => start(args, options).ended

/** Converts with JSON lines, and one renderer. */
export const convert = (folder: string, ...args: readonly string[]): Promise<Ran> =>
  pixelmill(['convert', '--json', '--jobs', '1', ...args], { cwd: folder })

/** A folder with these files, that goes when the test ends. */
export async function folderOf(t: Pick<TestContext, 'after'>, files: Readonly<Record<string, Buffer | string>>): Promise<string> {
  const folder = await tempFolder(t)
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  return folder
}

/** Different pictures of the same size. */
export const jpeg = (width = 60, height = 40): Promise<Buffer> => photo(width, height).jpeg().toBuffer()

/** How many lines have each status. */
export const counts = ({ lines }: Pick<Ran, 'lines'>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Map.groupBy(lines(), ({ status }) => status)
      .entries()
      .map(([status, all]) => [status, all.length]),
  )
