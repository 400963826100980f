import { existsSync } from 'node:fs'
import { limits } from '@pixelmill/codecs/contract/limits'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { readConfig } from './config.ts'
import { beginEarly, startPhases } from './early.ts'
import { closeInherited } from './inherited-descriptors.ts'
import { type Log, openLog } from './log.ts'

function fail(error: unknown): never {
  // An error that an operator can fix is printed as one line; anything else is a bug, and its stack is needed.
  console.error(error instanceof StartError ? `Pixelmill cannot start: ${error.message}` : error)
  process.exit(1)
}

/** Seconds in which a start may finish after a signal to stop: it may hang, for example on a disk that does not answer. */
const STOP_START_SECONDS = 3

/** A repeated signal within this time was sent to the process and by its parent: Ctrl-C in a terminal, under npm. */
const SAME_SIGNAL_MS = 1_000

/** Resolves at the first signal to stop; a later one ends the process at once. */
function untilStopped(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let first: number | undefined
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      first ??= performance.now()
      if (performance.now() - first > SAME_SIGNAL_MS) process.exit(1)
      resolve(signal)
    })
  }
  return promise
}

/** Ends the process after this many seconds, unless the returned function is called before. */
function endAfter(seconds: number, doing: string, log: Log): () => void {
  const deadline = setTimeout(() => {
    log.warn(`still ${doing} after ${seconds} s; stopping now`)
    process.exit(0)
  }, seconds * 1000)
  return () => clearTimeout(deadline)
}

/** How long to wait after the shutdown for processes that end after their renderers, which takes some milliseconds. */
const LEFTOVERS_MS = 1_000

async function drain(server: AsyncDisposable, delaySeconds: number, log: Log): Promise<void> {
  const { requests, rest } = limits.shutdown
  const callOff = endAfter(delaySeconds + requests + rest, 'busy', log)
  await server[Symbol.asyncDispose]()
  callOff()
  // OpenTelemetry's exporter cannot be stopped: while the collector is unavailable, its timers would keep the process alive for
  // up to 40 s.
  setTimeout(() => process.exit(), LEFTOVERS_MS).unref()
}

try {
  closeInherited()
  // Environment variables take precedence over the file.
  if (existsSync('.env')) process.loadEnvFile('.env')
  const config = readConfig(process.env)
  const log = openLog(config.LOG_LEVEL)
  const stopSignal = untilStopped()
  const phases = startPhases()
  const early = beginEarly(config, log, phases)
  // Imported only now: PostgreSQL and the renderers start while this is loaded.
  const { serve } = await phases.during('load', () => import('./serve.ts'))
  // A nearly complete start is finished and then shut down in order, since it prints the first administrator's password.
  const forcedEnd = stopSignal.then(() => endAfter(STOP_START_SECONDS, 'starting', log))
  const server = await serve(config, log, early, phases)
  void forcedEnd.then((callOff) => callOff())
  log.info({ signal: await stopSignal }, 'stopping')
  await drain(server, config.SHUTDOWN_DELAY_S, log)
} catch (error) {
  fail(error)
}
