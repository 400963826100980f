import { existsSync } from 'node:fs'
import { readConfig } from './config.ts'
import { StartError } from './contract/start-error.ts'
import { beginEarly } from './early.ts'
import { type Log, openLog } from './log.ts'
import { startPhases } from './start-phases.ts'

/** Seconds in which running requests may finish after a signal to stop: contract §9. */
const DRAIN_SECONDS = 30

function fail(error: unknown): never {
  // What an operator can mend is one line; anything else is our fault and needs its stack.
  console.error(error instanceof StartError ? `Pixelmill cannot start: ${error.message}` : error)
  process.exit(1)
}

/** A signal that comes twice at once was sent to the process and by its parent: Ctrl-C in a terminal, under npm. */
const SAME_SIGNAL_MS = 1_000

/** Resolves at the first signal to stop; one that comes later, from somebody impatient, ends at once. */
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

async function drain(server: AsyncDisposable, log: Log): Promise<void> {
  const deadline = setTimeout(() => {
    log.warn(`still busy after ${DRAIN_SECONDS} s; stopping now`)
    process.exit(0)
  }, DRAIN_SECONDS * 1000)
  await server[Symbol.asyncDispose]()
  clearTimeout(deadline)
}

try {
  // Variables that are set win over lines of the file.
  if (existsSync('.env')) process.loadEnvFile('.env')
  const config = readConfig(process.env)
  const log = openLog(config.LOG_LEVEL)
  const stopped = untilStopped()
  const phases = startPhases()
  const early = beginEarly(config, log, phases)
  // Now, and no sooner: PostgreSQL and the renderers start while this is loaded.
  const { serve } = await phases.during('load', () => import('./serve.ts'))
  const server = await serve(config, log, early, phases)
  log.info({ signal: await stopped }, 'stopping')
  await drain(server, log)
} catch (error) {
  fail(error)
}
