import type { Outbound } from '../outbound/outbound.ts'
import { call, formOf } from './call.ts'
import { type GuardLimits, Guards, PAUSED, usualLimits } from './guards.ts'
import { type ProviderEvents, ProviderFault } from './provider-fault.ts'
import type { Service } from './services.ts'

export interface ProviderClient {
  /** Called before a picture is prepared for the service. @throws ProviderFault while the service is paused */
  checkAvailable(): void
  /** Seconds until it is called again; 0 when it is not paused. */
  restsSeconds(): number
  /**
   * Has the background of a picture removed.
   * @returns what is declared to be a picture, in chunks
   * @throws ProviderFault; the signal's reason once that aborts
   */
  cutOut(bytes: Buffer, type: string, signal: AbortSignal): Promise<readonly Buffer[]>
}

/** The same fault is reported at most this often. */
const SILENCE_MS = 600_000

/** Calls a service with retries, and pauses where it fails, asks for a pause or rejects the key, so that no caller waits in vain. */
export function providerClient(
  service: Service,
  operatorFetch: Outbound['operatorFetch'],
  { onAnswer, onFault }: ProviderEvents,
  limits: GuardLimits = usualLimits,
): ProviderClient {
  const { name, budgetMs, fileField, fields } = service
  const report = throttleReports((words) => onFault(`${name}: ${words}`))
  let pausedUntil = 0
  const guards = new Guards(limits, {
    onTry: onAnswer,
    onPause({ message }) {
      report(`failed ${limits.failures} times in a row (${message}), and is not called for a while`)
      pause(limits.pauseMs)
    },
  })

  function pause(ms: number): void {
    pausedUntil = Math.max(pausedUntil, performance.now() + ms)
  }

  const restsSeconds = () => Math.max(0, pausedUntil - performance.now()) / 1_000

  /** Only time or the operator can help, so the next pictures are not sent. */
  function pauseAfter({ kind, message, retryAfterSeconds = 0 }: ProviderFault): void {
    if (kind === 'misconfigured') report(message)
    pause(kind === 'misconfigured' ? limits.pauseMs : retryAfterSeconds * 1_000)
  }

  return {
    restsSeconds,
    checkAvailable() {
      if (restsSeconds() === 0) return
      onAnswer('skipped', 0)
      throw new ProviderFault('skipped', PAUSED)
    },
    async cutOut(bytes, type, signal) {
      try {
        const form = formOf(fields, { field: fileField, type, bytes })
        return await guards.run((ours) => call(service, form, operatorFetch, ours), budgetMs, signal)
      } catch (error) {
        if (error instanceof ProviderFault && error.kind === 'skipped') onAnswer('skipped', 0)
        else if (error instanceof ProviderFault) pauseAfter(error)
        throw error
      }
    },
  }
}

function throttleReports(report: (words: string) => void): (words: string) => void {
  const reportedAt = new Map<string, number>()
  return (words) => {
    const last = reportedAt.get(words)
    if (last !== undefined && performance.now() - last < SILENCE_MS) return
    reportedAt.set(words, performance.now())
    report(words)
  }
}
