import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const MAIN = join(import.meta.dirname, '../../bin/pixelmill.mjs')
const PAUSE_MS = 500

/** A process of the service, started again whenever it ends, as systemd or Docker do. */
export interface KeptProcess {
  /** Of the one that runs now, or ran last. */
  pid(): number
  /** What all of them have written. */
  output(): string
  stop(): Promise<void>
}

export function keepProcess(settings: Readonly<Record<string, string>>, logFile: string): KeptProcess {
  const log = createWriteStream(logFile, { flags: 'a' })
  let output = ''
  let stopped = false
  let child = start()
  const kept = keep()

  function start(): ChildProcess {
    const started = spawn(process.execPath, [MAIN], {
      env: { PATH: process.env.PATH, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (chunk: Buffer) => {
        log.write(chunk)
        // Wanted is the address, which comes first; the rest is in the file.
        if (output.length < 10_000) output += chunk.toString()
      })
    return started
  }
  async function keep(): Promise<void> {
    while (!stopped) {
      await once(child, 'exit')
      if (stopped) return
      await sleep(PAUSE_MS)
      if (!stopped) child = start()
    }
  }
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  return {
    pid: () => child.pid ?? 0,
    output: () => output,
    async stop() {
      stopped = true
      process.off('exit', kill)
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      await kept
      log.end()
    },
  }
}
