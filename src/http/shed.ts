import { isSurelyBusy } from '../admission/gates.ts'
import type { Log } from '../log.ts'
import { serverBusy } from '../rendering/pool.ts'
import type { Services } from '../services.ts'
import type { QuickReply } from './doorstep.ts'
import { rawErrorReply } from './error-reply.ts'
import { floodLog } from './flood-log.ts'
import { requestId } from './request-state.ts'
import type { Route } from './route.ts'

/**
 * The answer to an image that a full server cannot take, where the caller is known to be one who may call. Hundreds a second of
 * these must not take the processors from the renderers.
 */
export function shedding(routes: readonly Route[], services: Services, log: Log): QuickReply {
  const paths = new Set(routes.filter(({ admission }) => admission === 'api').map(({ path }) => path))
  const error = serverBusy()
  const note = floodLog(log, error.code)
  return ({ method, path, headers }) => {
    if (method !== 'POST' || !paths.has(path) || headers.host === undefined) return undefined
    if ((headers.expect ?? '100-continue') !== '100-continue' || !isSurelyBusy(headers.authorization, services)) return undefined
    const id = requestId(headers)
    const facts = { method, route: path, status: error.status }
    services.metrics.onResponse({ ...facts, seconds: 0, error: error.code })
    note({ requestId: id, ...facts })
    return rawErrorReply(error, id)
  }
}
