import { spawn } from 'node:child_process'

export interface Run {
  /** null when a signal ended it, or when it could not be started. */
  readonly code: number | null
  /** Standard output and error together, the last 64 KiB. */
  readonly output: string
}

export interface RunOptions {
  readonly timeoutMs: number
  readonly uid?: number
  readonly gid?: number
}

/** What PostgreSQL and the tools around it may see of our environment: ours holds secrets. */
export const CHILD_ENV: Readonly<Record<string, string>> = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' }

const OUTPUT_BYTES = 65_536

/** Runs a command to its end. A command that is missing is an answer too (code null), not an error. */
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
 * Why one of PostgreSQL's programs failed: the first error that it printed, with its detail. initdb prints the error of the
 * server that it runs, and then that it removes its files. Without an error, the last line.
 */
export function whyFailed(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const at = lines.findIndex((line) => FAULT.test(line))
  if (at < 0) return lines.at(-1)?.trim() ?? 'no message'
  const [, error = ''] = FAULT.exec(lines[at] ?? '') ?? []
  const [, detail] = DETAIL.exec(lines[at + 1] ?? '') ?? []
  return [error, ...(detail === undefined ? [] : [detail])].join('. ').replace(/\.$/, '')
}

/** The server prints severities in capitals, its tools in small letters. */
const FAULT = /\b(?:PANIC|FATAL|ERROR|error):\s+(.+)$/
const DETAIL = /\b(?:DETAIL|detail):\s+(.+)$/
