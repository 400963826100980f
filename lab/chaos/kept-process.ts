import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const MAIN = join(import.meta.dirname, '../../packages/cli/bin/pixelmill.mjs')
const PAUSE_MS = 500

/** A process that is restarted whenever it ends, as by systemd or Docker. */
export interface KeptProcess {
  /** Process id of the current or last run. */
  pid(): number
  /** The output of all runs. */
  output(): string
  /** Ends it by a signal; the next run starts this many milliseconds after its end. */
  end(signal: NodeJS.Signals, awayMs: number): void
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** A Pixelmill process, with nothing in its environment but these settings. */
export const keepPixelmill = (settings: Readonly<Record<string, string>>, logFile: string): KeptProcess =>
  keepProcess([process.execPath, MAIN], settings, logFile)

export function keepProcess(
  [command = '', ...args]: readonly string[],
  settings: Readonly<Record<string, string>>,
  logFile: string,
): KeptProcess {
  const log = createWriteStream(logFile, { flags: 'a' })
  let output = ''
  let hasStopped = false
  let pauseMs = PAUSE_MS
  let child = start()
  const keeping = keep()

  function start(): ChildProcess {
    const env = { PATH: process.env.PATH, ...settings }
    const next = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [next.stdout, next.stderr])
      stream.on('data', (chunk: Buffer) => {
        log.write(chunk)
        // Only the address is needed, which is printed first; the rest is in the file.
        if (output.length < 10_000) output += chunk.toString()
      })
    return next
  }
  async function keep(): Promise<void> {
    while (!hasStopped) {
      await once(child, 'exit')
      if (hasStopped) return
      await sleep(pauseMs)
      pauseMs = PAUSE_MS
      if (!hasStopped) child = start()
    }
  }
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  return {
    pid: () => child.pid ?? 0,
    output: () => output,
    end(signal, awayMs) {
      pauseMs = awayMs
      child.kill(signal)
    },
    async stop(signal = 'SIGTERM') {
      hasStopped = true
      process.off('exit', kill)
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      await keeping
      log.end()
    },
  }
}
