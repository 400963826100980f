import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { builtPages } from '@pixelmill/dashboard/dashboard-build'
import type { ConfinedRenderers } from '@pixelmill/engine/rendering/sandbox/renderers'
import { restartLevel } from '@pixelmill/engine/rendering/worker'
import { createFirstAdministrator } from './accounts/first-administrator.ts'
import { needsAttention } from './billing/apply-event.ts'
import { type Billing, openBilling } from './billing/billing.ts'
import { openBlobs } from './blobs/index.ts'
import { ownStore } from './blobs/own-store.ts'
import { buildServices } from './build-services.ts'
import type { Config } from './config.ts'
import { type Database, openDatabase } from './database/database.ts'
import { migrate } from './database/migrate.ts'
import { answerFromCache } from './delivery/routes/cached-answers.ts'
import { allDone, type Early, type StartPhases } from './early.ts'
import { jobs } from './housekeeping.ts'
import { createApp } from './http/app.ts'
import { collectWhenIdle } from './idle-memory.ts'
import { endInTime, listen, openProbes } from './listen.ts'
import type { Log } from './log.ts'
import { registerInstance } from './metering/instance.ts'
import { refundUnbegun } from './metering/unsent-answers.ts'
import { openOutbound } from './outbound/outbound.ts'
import { type Pages, readPages } from './pages/dashboard.ts'
import { notFoundPage } from './pages/page.ts'
import { servedRoutes } from './routes.ts'
import { runFirst } from './scheduler.ts'
import type { Backends, Services } from './services.ts'
import { firstRun, listening, working } from './start-messages.ts'
import { batchEvents, startWork } from './work.ts'

/**
 * Starts everything in order of dependencies; the returned function stops it in reverse.
 * @throws StartError, after everything that was started has been stopped
 */
export async function serve(config: Config, log: Log, early: Early, phases: StartPhases): Promise<AsyncDisposable> {
  await using startedParts = new AsyncDisposableStack()
  startedParts.use(early)
  const [backends, rendering, pages] = await allDone([
    openBackends(config, log, early.data, startedParts, phases),
    early.rendering,
    config.ROLE === 'worker' ? Promise.resolve(undefined) : phases.during('pages', () => dashboard(log)),
  ])
  const { database } = backends
  const { renderers, credential } = rendering
  logConfinement(log, renderers)
  if (credential) log.info({ expires: credential.expires }, 'results of images with a C2PA manifest are signed')
  const instance = await registerInstance(
    database,
    (error) => log.warn({ err: error }, 'other servers cannot see this one'),
    config.ROLE,
  )
  startedParts.defer(() => instance.close())
  const billing = await sellCredits(config, database, log)
  const services = buildServices(config, backends, instance, rendering, billing, {
    onRestart: (reason, detail) => log[restartLevel(reason)]({ reason, detail }, 'a renderer was replaced'),
    onUnsigned: (error) => log.warn({ err: error }, 'an image could not be signed, and has no manifest'),
    onModel: (model, report) => log[report.state === 'failed' ? 'warn' : 'info']({ model, ...report }, 'a model was tried'),
    onUsageError: (error) => log.warn({ err: error }, 'statistics of calls wait for the database'),
    onBegunFault: (error) => log.warn({ err: error }, 'calls that a kill leaves without an answer will stay charged'),
    onFollowerFault: (error) => log.error({ err: error }, 'an event stream met a fault of ours'),
    onDeliveryFault: (error, what) => log.warn({ err: error }, what),
    onQuotaDelay: (error) => log.warn({ err: error }, 'AI images of an account wait for the database'),
    onRemoverUnavailable: (remover, { message: why }) => log.info({ remover, why }, 'a remover of backgrounds was passed over'),
    onProviderFault: (why) => log.warn({ why }, 'the service that removes backgrounds'),
    batches: batchEvents(log),
  })
  startedParts.defer(outliveExceptions(log, services))
  const probes = openProbes(services, log, startedParts)
  startedParts.defer(() => services.usage.close())
  startedParts.defer(() => services.begunAnswers?.close())
  startedParts.defer(() => services.signer?.close())
  startedParts.defer(() => services.pool.close())
  startedParts.defer(() => services.delivery.close())
  startedParts.defer(() => services.models.close())
  startedParts.defer(() => services.batchWorker?.close())
  await phases.during('jobs', () => runFirst(jobs, services, log))
  if (config.ROLE !== 'api') await phases.during('work', () => startWork(services, log, startedParts))
  console.log(
    config.ROLE === 'worker' ? working() : await phases.during('listen', () => answer(services, pages, log, startedParts)),
  )
  await probes.listen()
  services.metrics.onReady()
  // After the start, so that it is not delayed by refunds.
  if (services.begunAnswers) startedParts.defer(giveBackUnbegun(services, backends, log))
  startedParts.defer(() => beginStop(services))
  log.debug({ ms: phases.times() }, 'started')
  keepCode(renderers, log)
  startedParts.defer(collectWhenIdle())
  return startedParts.move()
}

/**
 * From here on the process outlives an exception that a timer, a listener or a promise throws where nobody waits for it: it is logged
 * and counted. What it leaves undone is bounded, since calls, leases and files are kept by PostgreSQL, which takes them back once
 * nobody holds them; ending the process would break off the requests of everybody else. Returns a function that makes it fatal again.
 */
function outliveExceptions(log: Log, { metrics }: Services): () => void {
  function report(error: unknown, origin: NodeJS.UncaughtExceptionOrigin): void {
    metrics.onUncaught(origin === 'unhandledRejection' ? 'promise' : 'listener')
    log.error({ err: error, origin }, 'an exception outside of a request was not caught')
  }
  process.on('uncaughtException', report)
  return () => void process.off('uncaughtException', report)
}

/** What precedes every end: load balancers see it coming, and requests that they still send are answered. */
async function beginStop({ stop, batchWorker, config: { ROLE, SHUTDOWN_DELAY_S } }: Services): Promise<void> {
  stop.abort()
  // Closed first, so that images of batches and running requests finish at the same time.
  void batchWorker?.close()
  if (ROLE !== 'worker') await sleep(SHUTDOWN_DELAY_S * 1000)
}

/** Refunds the calls that killed servers had charged and not begun to answer. Returns a function that waits for it. */
function giveBackUnbegun({ database }: Services, { begun }: Backends, log: Log): () => Promise<void> {
  const refundRun = refundUnbegun(database.pool, begun).then(
    (calls) => void (calls > 0 && log.info({ calls }, 'calls were given back that were charged and never answered')),
    (error: unknown) => log.warn({ err: error }, 'calls that were charged and never answered could not be given back'),
  )
  return () => refundRun
}

/** For the next start. If the packages' folder is read-only, that is as slow as this one. */
function keepCode(renderers: ConfinedRenderers, log: Log): void {
  flushCompileCache()
  renderers.keepCode().catch((error: unknown) => log.debug({ err: error }, 'the compiled code of renderers is not kept'))
}

/** Listens; returns the text to print. */
async function answer(
  services: Services,
  pages: Pages | undefined,
  log: Log,
  startedParts: AsyncDisposableStack,
): Promise<string> {
  const { config, database, passwords } = services
  const app = createApp(servedRoutes(pages, config), services, log, {
    notFoundPage,
    answerFirst: (server, idle, closing) => answerFromCache(server, services, idle, closing),
  })
  startedParts.defer(() => endInTime(app))
  // Before listening: a server that answers has its first key. Printed at once, since the following steps may fail.
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password, ADMIN_API_KEY: apiKey } = config
  const credentials = await createFirstAdministrator(database.kysely, passwords, { email, password, apiKey })
  if (credentials) console.log(firstRun(credentials))
  const url = await listen(app, config, 'PORT')
  return listening(url, credentials, pages !== undefined)
}

/** The pages; an error in them never prevents the API from starting. */
async function dashboard(log: Log): Promise<Pages | undefined> {
  const folder = await builtPages({
    onBuilt: (ms) => log.info({ ms }, 'the dashboard was built'),
    onFailed: (reason, servedPart) => log.warn({ reason, served: servedPart }, 'the dashboard could not be built'),
  })
  return folder === undefined ? undefined : await readPages(folder)
}

/** Logs every Stripe event; as a warning if an operator should look at it. */
function sellCredits(config: Config, database: Database, log: Log): Promise<Billing> {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: apiBase } = config
  const settings = secretKey && webhookSecret ? { secretKey, webhookSecret, apiBase } : undefined
  return openBilling(database, settings, (event) => {
    const level = needsAttention(event.outcome) ? 'warn' : 'info'
    log[level](event, 'an event of Stripe')
  })
}

/** Logs how many sandbox measures are in effect, and which ones this machine lacks. */
function logConfinement(log: Log, { finishers, confinement }: ConfinedRenderers): void {
  const names = (holds: boolean) => Object.keys(confinement).filter((name) => confinement[name] === holds)
  log.info({ ...finishers.programs, measures: names(true).length }, 'renderers are confined')
  if (names(false).length > 0) log.warn({ measures: names(false) }, 'this machine lacks what would confine renderers further')
}

/**
 * Opens the resources that everything else uses; `started` closes them.
 * @throws StartError
 */
async function openBackends(
  config: Config,
  log: Log,
  data: Early['data'],
  startedParts: AsyncDisposableStack,
  phases: StartPhases,
): Promise<Backends> {
  const { dataDir, target, keySecrets } = await data
  const blobs = await openBlobs(dataDir, config)
  startedParts.defer(() => blobs.close())
  const onBreak = (error: Error) => log.warn({ err: error }, 'a database connection broke')
  const database = await openDatabase(target, onBreak, config.DATABASE_CONNECTIONS, {
    onWait: () => log.warn('PostgreSQL is starting up or recovering: waiting for up to a minute'),
  })
  startedParts.defer(() => database.close())
  await phases.during('migrate', () =>
    migrate(database, {
      onWait: (tries) => log.warn({ tries }, 'the tables are held by others; they are changed when they are free'),
    }),
  )
  const installation = await installationOf(database)
  await ownStore(blobs, installation)
  const outbound = openOutbound({ allow: config.EGRESS_ALLOW })
  startedParts.defer(() => outbound.close())
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) {
    const { sendTraces } = await import('./traces.ts')
    const traces = sendTraces(config, config.OTEL_EXPORTER_OTLP_ENDPOINT, log)
    startedParts.defer(() => traces.close())
  }
  return { database, blobs, outbound, keySecrets, begun: { folder: join(dataDir, 'answers'), installation } }
}

async function installationOf({ pool }: Database): Promise<string> {
  const { rows } = await pool.query<{ id: string }>('select id from installation')
  if (!rows[0])
    throw new StartError(
      'The database has its tables and nothing in them, not even its own id: restore the backup with its rows into an empty database.',
    )
  return rows[0].id
}
