import { createHash, timingSafeEqual } from 'node:crypto'
import { VERSION } from '@pixelmill/engine/version'
import { ApiError } from '../contract/api-error.ts'
import type { ErrorName } from '../contract/errors.ts'
import { jsonReply } from '../http/reply.ts'
import { type Call, defineRoute, type Reply } from '../http/route.ts'
import { checkJobs } from '../scheduler.ts'
import type { Services } from '../services.ts'

export const healthz = defineRoute({
  method: 'GET',
  path: '/healthz',
  name: 'healthz',
  tag: 'System',
  summary: 'Whether the process is alive.',
  admission: 'open',
  produces: ['application/json'],
  errors: [],
  handle: () => jsonReply({ status: 'ok', version: VERSION }),
})

/** The parts that a request needs, each with a check whether it works now. */
const parts: Readonly<Record<string, (services: Services) => boolean | Promise<boolean>>> = {
  database: ({ database }) => succeeds(database.pool.query('select 1')),
  renderers: ({ pool }) => pool.ready(),
  queue: ({ pool }) => !pool.full(),
  storage: ({ storageWorks }) => storageWorks(),
  jobs: ({ database }) => succeeds(checkJobs(database.pool)),
}

/** The probe reports only that a part fails; the log has the reason. */
const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

/** The error to answer with. The database comes first: nothing works without it. */
function refusalFor(missing: readonly string[]): ErrorName {
  if (missing.includes('database')) return 'database_unavailable'
  return missing.includes('storage') ? 'storage_unavailable' : 'server_busy'
}

/** Load balancers have intervals of their own. */
const RETRY_SECONDS = 1

export const readyz = defineRoute({
  method: 'GET',
  path: '/readyz',
  name: 'readyz',
  tag: 'System',
  summary: 'Whether requests can be served: 200, or 503 with the part that fails.',
  admission: 'open',
  produces: ['application/json'],
  errors: ['database_unavailable', 'storage_unavailable', 'server_busy'],
  async handle({ services }) {
    if (services.stop.signal.aborted)
      throw new ApiError('server_busy', { message: 'The server is stopping.', facts: { status: 'stopping' } })
    const states = await Promise.all(Object.entries(parts).map(async ([name, works]) => [name, await works(services)] as const))
    const missing = states.filter(([, works]) => !works).map(([name]) => name)
    const checks = Object.fromEntries(states)
    // Failing models do not make the server unready: it works without them.
    const models = services.models.reports()
    const facts = { ...checks, ...(Object.keys(models).length > 0 && { models }) }
    if (missing.length === 0) return jsonReply({ status: 'ready', ...facts })
    throw new ApiError(refusalFor(missing), {
      message: `Not ready: ${missing.join(', ')}.`,
      retryAfterSeconds: RETRY_SECONDS,
      facts: { status: 'not ready', ...facts },
    })
  },
})

async function metricsReply({ services: { metrics } }: Call): Promise<Reply> {
  return { headers: { 'content-type': metrics.contentType }, body: await metrics.text() }
}

const BEARER = /^Bearer +(\S+) *$/i
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** @throws ApiError missing_or_invalid_api_key */
function requireToken({ request, services: { config } }: Call): void {
  const { METRICS_TOKEN: wantedText } = config
  const [, sentText = ''] = BEARER.exec(request.header('authorization') ?? '') ?? []
  // Digests have the same length, so that the comparison takes the same time for all texts.
  if (wantedText === undefined || !timingSafeEqual(digest(sentText), digest(wantedText)))
    throw new ApiError('missing_or_invalid_api_key', { message: 'Send METRICS_TOKEN in the header "Authorization: Bearer …".' })
}

/** On PORT. */
export const metrics = defineRoute({
  method: 'GET',
  path: '/metrics',
  name: 'metrics',
  tag: 'System',
  summary: 'Prometheus metrics.',
  description: 'On METRICS_PORT for everybody who reaches it; here only if METRICS_TOKEN is set, with it as the bearer token.',
  admission: 'open',
  requestHeaders: { Authorization: 'Bearer and METRICS_TOKEN.' },
  produces: ['text/plain'],
  errors: ['missing_or_invalid_api_key'],
  handle(call) {
    requireToken(call)
    return metricsReply(call)
  },
})

/** On METRICS_PORT. */
export const openMetrics = defineRoute({ ...metrics, errors: [], handle: metricsReply })
