import type { PlannedRequest } from '../load/load-plan.ts'
import type { End } from './raw-client.ts'

/** Either an open loop of arrivals, or clients that each wait for their responses. */
export type Phase = { readonly seconds: number } & (
  | { readonly perSecond: number }
  | { readonly clients: number; readonly retry: 'wait' | 'at once' }
)

export interface StormPlan {
  readonly port: number
  readonly keys: readonly string[]
  readonly requests: readonly PlannedRequest[]
  readonly phases: readonly Phase[]
  /** The processors that the generator may use, in the syntax of taskset; all by default. */
  readonly processors?: string
}

/** One request and its end. Times in milliseconds: since its phase started, behind its due time, and from that to its end. */
export interface Sent {
  readonly end: End
  readonly retryAfterSeconds: number
  readonly atMs: number
  readonly lateMs: number
  readonly tookMs: number
}

export interface PhaseResult {
  /** performance.now() of the generator. */
  readonly began: number
  /** In the order in which they ended. */
  readonly sent: readonly Sent[]
  /** CPU time of the generator. */
  readonly cpuMs: number
  readonly wallMs: number
}
