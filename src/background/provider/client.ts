import type { Outbound } from '../../outbound/outbound.ts'
import { call, formOf } from './call.ts'
import { type GuardLimits, guards, LEFT_ALONE, usualLimits } from './guards.ts'
import { type ProviderEvents, ProviderFault } from './provider-fault.ts'
import type { Service } from './services.ts'

export interface ProviderClient {
  /** Whether the service is left alone for a while: then nothing needs to be made ready for it. @throws ProviderFault if so */
  checkAsked(): void
  /** Seconds for which it will be left alone; 0 when it is not. */
  restsSeconds(): number
  /**
   * Has a picture cut out.
   * @returns what is called a picture, in chunks
   * @throws ProviderFault; the signal's reason once that aborts
   */
  cutOut(bytes: Buffer, type: string, signal: AbortSignal): Promise<readonly Buffer[]>
}

/** The same fault is told no more often. */
const SILENCE_MS = 600_000

/** Sees to it that a service which fails, asks for rest or turns us away costs those who wait as little as may be. */
export function providerClient(
  service: Service,
  operatorFetch: Outbound['operatorFetch'],
  { onAnswer, onFault }: ProviderEvents,
  limits: GuardLimits = usualLimits,
): ProviderClient {
  const { name, budgetMs, fileField, fields } = service
  const tell = onceInAWhile((words) => onFault(`${name}: ${words}`))
  let restUntil = 0
  const { run } = guards(limits, {
    onTry: onAnswer,
    onPause({ message }) {
      tell(`failed ${limits.failures} times in a row (${message}), and is left alone for a while`)
      rest(limits.pauseMs)
    },
  })

  function rest(ms: number): void {
    restUntil = Math.max(restUntil, performance.now() + ms)
  }

  const restsSeconds = () => Math.max(0, restUntil - performance.now()) / 1_000

  /** Nothing but time or the operator helps: the next pictures are not sent in vain. */
  function restAfter({ kind, message, retryAfterSeconds = 0 }: ProviderFault): void {
    if (kind === 'misconfigured') tell(message)
    rest(kind === 'misconfigured' ? limits.pauseMs : retryAfterSeconds * 1_000)
  }

  return {
    restsSeconds,
    checkAsked() {
      if (restsSeconds() === 0) return
      onAnswer('skipped', 0)
      throw new ProviderFault('skipped', LEFT_ALONE)
    },
    async cutOut(bytes, type, signal) {
      try {
        const form = formOf(fields, { field: fileField, type, bytes })
        return await run((ours) => call(service, form, operatorFetch, ours), budgetMs, signal)
      } catch (error) {
        if (error instanceof ProviderFault && error.kind === 'skipped') onAnswer('skipped', 0)
        else if (error instanceof ProviderFault) restAfter(error)
        throw error
      }
    },
  }
}

function onceInAWhile(tell: (words: string) => void): (words: string) => void {
  const toldAt = new Map<string, number>()
  return (words) => {
    const last = toldAt.get(words)
    if (last !== undefined && performance.now() - last < SILENCE_MS) return
    toldAt.set(words, performance.now())
    tell(words)
  }
}
