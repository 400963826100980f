import { probed } from './banner.ts'
import { ApiError } from './contract/api-error.ts'
import { createApp } from './http/app.ts'
import type { Route } from './http/route.ts'
import { endInTime, listen } from './listen.ts'
import type { Log } from './log.ts'
import { probeRoutes } from './routes/served.ts'
import type { Services } from './services.ts'

/** The port of its own for metrics and probes. */
export interface Probes {
  /** Last of the start, so that whoever is ready here answers on PORT too. @throws StartError */
  listen(): Promise<void>
  /** From here on /readyz says that the process stops, while the rest answers until the end. */
  tellStop(): void
}

/** By then everybody else has been waited for. */
const LAST_SCRAPE_MS = 1_000

/** Prepares the listener of METRICS_PORT; undefined where that is not set. */
export function openProbes(services: Services, log: Log, started: AsyncDisposableStack): Probes | undefined {
  const { HOST, METRICS_HOST, METRICS_PORT } = services.config
  if (METRICS_PORT === undefined) return undefined
  const stop = new AbortController()
  const app = createApp(probeRoutes.map(untilStop(stop.signal)), services, log)
  // Among the first to start and so the last to end: who asks why a stop takes long still gets an answer.
  started.defer(() => endInTime(app, LAST_SCRAPE_MS))
  return {
    async listen() {
      console.log(probed(await listen(app, { HOST: METRICS_HOST ?? HOST, PORT: METRICS_PORT }, 'METRICS_PORT')))
    },
    tellStop: () => stop.abort(),
  }
}

/** A process that stops is sent no more work; its metrics and its life are told as before. */
const untilStop =
  (stopping: AbortSignal) =>
  (route: Route): Route =>
    route.name !== 'readyz'
      ? route
      : {
          ...route,
          handle(call) {
            if (stopping.aborted)
              throw new ApiError('server_busy', { message: 'The server is stopping.', facts: { status: 'stopping' } })
            return route.handle(call)
          },
        }
