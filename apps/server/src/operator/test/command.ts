import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const BIN = join(import.meta.dirname, '../../../../../packages/cli/bin/pixelmill.mjs')

export interface Ended {
  readonly code: number | null
  /** Standard output and error. */
  readonly output: string
}

/** Runs one of the operator's commands, with nothing in its environment but these settings. */
export async function command(name: string, args: readonly string[], settings: Readonly<Record<string, string>>): Promise<Ended> {
  const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...settings }
  const child = spawn(process.execPath, [BIN, name, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: code as number | null, output: out + errors }
}
