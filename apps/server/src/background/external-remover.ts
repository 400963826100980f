import { allButOne, fairQueue } from '@pixelmill/engine/concurrency/fair-queue'
import type { Pool } from '@pixelmill/engine/rendering/pool'
import { isRefusal } from '../contract/api-error.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { providerClient } from './client.ts'
import { type GuardLimits, usualLimits } from './guards.ts'
import { type ProviderEvents, ProviderFault } from './provider-fault.ts'
import { AlreadyCutOut, type CutOut, type PoolOf, type Remover, RemoverUnavailable } from './remover.ts'
import { chosenService, type ProviderSettings } from './services.ts'

export interface ProviderParts {
  readonly poolOf: PoolOf
  readonly outbound: Pick<Outbound, 'operatorFetch'>
  readonly events: ProviderEvents
}

/**
 * The remover that calls an external service. Undefined when the operator configured none.
 * @throws StartError when a setting of the service is missing
 */
export function externalRemover(
  settings: ProviderSettings,
  parts: ProviderParts,
  limits: GuardLimits = usualLimits,
): Remover | undefined {
  const service = chosenService(settings)
  if (!service) return undefined
  const { poolOf, outbound, events } = parts
  const client = providerClient(service, outbound.operatorFetch, events, limits)
  const { atOnce, waiting: mostWaiting } = limits
  /** Before the limits of the service, which do not know whose a picture is. */
  const turns = fairQueue(atOnce, { mostOf: allButOne(atOnce), mostWaiting })
  const { pixels: mostPixels, side: mostSide, bytes: mostBytes } = service.most
  return {
    name: 'external',
    restsSeconds: client.restsSeconds,
    async remove(source, { format, account }, signal) {
      const pool = poolOf(account)
      const answer = await askService(async () => {
        client.checkAvailable()
        const { report, files } = await pool.run('cutOutCopy', { format, mostPixels, mostSide, mostBytes }, [source], signal)
        if (report.alreadyCutOut) throw new AlreadyCutOut()
        if (turns.full(account)) {
          events.onAnswer('skipped', 0)
          throw new ProviderFault('skipped', 'too many of this account wait for it')
        }
        return turns.run(account, signal, () => client.cutOut(files[0] ?? Buffer.alloc(0), report.type, signal))
      })
      const cutOut = await applyAnswer(pool, { source, format, answer }, signal)
      if (typeof cutOut !== 'string') return cutOut
      events.onAnswer('unusable', 0)
      throw new RemoverUnavailable(`${service.name} answered with a picture that cannot be used: ${cutOut}`)
    },
  }

  async function askService<Value>(ask: () => Promise<Value>): Promise<Value> {
    try {
      return await ask()
    } catch (error) {
      throw error instanceof ProviderFault ? new RemoverUnavailable(`${service?.name}: ${error.message}`) : error
    }
  }
}

interface Answered {
  readonly source: readonly Buffer[]
  readonly format: 'png' | 'webp'
  readonly answer: readonly Buffer[]
}

/** Applies the service's answer; returns why where that cannot be done. */
async function applyAnswer(pool: Pick<Pool, 'run'>, request: Answered, signal: AbortSignal): Promise<CutOut | string> {
  const { source, format, answer } = request
  try {
    const { report, files } = await pool.run('applyCutOut', { format }, [source, answer], signal)
    const { fault, ...known } = report
    const bytes = files[0]
    return bytes ? { bytes, ...known, confidence: 1 } : (fault ?? 'no picture')
  } catch (error) {
    // The source was decoded a moment ago: what a renderer crashes on now is the answer.
    if (isRefusal(error) && error.code === 'conversion_failed') return 'no renderer gets it done'
    throw error
  }
}
