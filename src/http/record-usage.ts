import type { FastifyReply, FastifyRequest } from 'fastify'
import type { UsageLog } from '../metering/usage-log.ts'

/** Refusals that come before the burst limit, or are it: a caller who hammers would fill the table with them. */
const unbounded: readonly string[] = ['invalid_or_revoked_api_key', 'api_access_not_available', 'rate_limited']

/** Whose request it was, where it was a call that passed the burst limit. */
function callerOf({ visitor, refusal }: FastifyRequest): { readonly accountId: string; readonly keyId: string } | undefined {
  if (visitor?.metered) return visitor.metered.reservation
  if (!refusal || unbounded.includes(refusal.code)) return undefined
  const { accountId, keyId } = refusal
  return accountId !== null && keyId !== null ? { accountId, keyId } : undefined
}

/** Notes an answered call for its account's statistics. */
export function recordUsage(request: FastifyRequest, reply: FastifyReply, usage: UsageLog): void {
  const caller = callerOf(request)
  // An answer that was cut off was given back: it is no call.
  if (!caller || !reply.raw.writableFinished) return
  const succeeded = reply.statusCode < 300
  if (succeeded && !request.visitor?.metered?.isCharged()) return
  usage.record({
    accountId: caller.accountId,
    keyId: caller.keyId,
    endpoint: request.routeOptions.url ?? '',
    status: reply.statusCode,
    statusMessage: request.failure,
    inputBytes: request.inputBytes ?? 0,
    outputBytes: succeeded ? Number(reply.getHeader('content-length') ?? 0) : 0,
    durationMs: Math.round(reply.elapsedTime),
  })
}
