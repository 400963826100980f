import { execFile } from 'node:child_process'
import { join } from 'node:path'

const PROGRAM = join(import.meta.dirname, '../../../../packages/cli/bin/pixelmill.mjs')

/** Runs `health` with nothing in its environment but these settings. */
export const health = (settings: Readonly<Record<string, string>>): Promise<readonly [code: number, line: string]> =>
  new Promise((resolve) => {
    const env = { PATH: process.env.PATH, ...settings }
    execFile(process.execPath, [PROGRAM, 'health'], { env }, (error, output) =>
      resolve([Number(error?.code ?? 0), output.trim()]),
    )
  })
