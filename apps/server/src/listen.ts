import { limits } from '@pixelmill/codecs/contract/limits'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import type { Config } from './config.ts'
import { createApp } from './http/app.ts'
import type { Log } from './log.ts'
import { probeRoutes } from './routes.ts'
import type { Services } from './services.ts'
import { USUAL_METRICS_PORT } from './settings/server.ts'
import { address, probesText } from './start-messages.ts'

type App = ReturnType<typeof createApp>

/**
 * The system's queue of new connections while we are busy; beyond it clients wait for seconds. The system may limit it further.
 */
const BACKLOG = 4_096

/** Lets running requests finish; remaining transfers are then aborted, and cleaned up like any disconnect. */
export async function endInTime(app: App, ms = limits.shutdown.requests * 1000): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), ms)
  await app.close()
  clearTimeout(cut)
}

/** The settings that configure the listener. */
const hostOf = { PORT: 'HOST', METRICS_PORT: 'METRICS_HOST' } as const

const faults: Readonly<Record<string, (portSetting: keyof typeof hostOf) => string>> = {
  EADDRINUSE: (setting) => `is in use by another program; set ${setting} to a free one`,
  EACCES: (setting) => `may not be opened by this user; set ${setting} to one above 1023`,
  EADDRNOTAVAIL: (setting) => `is not on an address of this machine; set ${hostOf[setting]} to one that is, or 0.0.0.0`,
  ENOTFOUND: (setting) => `is not on a known host; set ${hostOf[setting]} to an address of this machine`,
}

/** Returns the address as a browser on this machine would type it. @throws StartError naming the setting to change */
export async function listen(
  app: App,
  { HOST: host, PORT: port }: { readonly HOST: string; readonly PORT: number },
  setting: keyof typeof hostOf,
): Promise<string> {
  try {
    await app.listen({ host, port, backlog: BACKLOG, listenTextResolver: (at) => `listening on ${at}` })
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? faults[String(error.code)]?.(setting) : undefined
    throw why ? new StartError(`Port ${port} on ${host} ${why}.`) : error
  }
  const bound = app.server.address()
  return address(host, typeof bound === 'object' && bound ? bound.port : port)
}

/** A separate port for metrics and probes. */
export interface Probes {
  /** Called last at the start, so that a process that is ready here also answers on PORT. @throws StartError */
  listen(): Promise<void>
}

/** Everything else has ended by then. */
const LAST_SCRAPE_MS = 1_000

/** Prepares the listener of METRICS_PORT. */
export function openProbes(services: Services, log: Log, startedParts: AsyncDisposableStack): Probes {
  const app = createApp(probeRoutes, services, log)
  // Started first and stopped last: probes are answered during a long shutdown.
  startedParts.defer(() => endInTime(app, LAST_SCRAPE_MS))
  return {
    async listen() {
      console.log(probesText(await listenForProbes(app, services.config, log)))
    },
  }
}

/** A port that nobody has chosen never keeps a server from starting: several on one machine take free ones. */
async function listenForProbes(app: App, { PORT, METRICS_HOST: HOST, METRICS_PORT }: Config, log: Log): Promise<string> {
  const at = (port: number) => listen(app, { HOST, PORT: port }, 'METRICS_PORT')
  if (METRICS_PORT !== undefined || PORT === 0) return await at(METRICS_PORT ?? 0)
  try {
    return await at(USUAL_METRICS_PORT)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    log.warn({ err: error }, 'metrics take a free port')
    return await at(0)
  }
}
