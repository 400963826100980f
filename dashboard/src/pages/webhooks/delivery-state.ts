import type { Answer } from '../../api/client.ts'

export type Delivery = Answer<'/api/user/webhook-deliveries', 'get'>['data'][number]

export interface DeliveryState {
  readonly word: string
  readonly kind: 'plain' | 'info' | 'good' | 'warning' | 'bad'
  /** An attempt is under way, or about to be. */
  readonly isBusy: boolean
}

/** After which an attempt that has not ended has been left by its server; another makes the next. */
const LEFT_BEHIND_MS = 60_000

const isUnderWay = ({ status, attempts }: Delivery, now: number): boolean => {
  const last = attempts.at(-1)
  return (
    status === 'pending' && last?.durationMs === undefined && last !== undefined && now - Date.parse(last.at) < LEFT_BEHIND_MS
  )
}

export function stateOf(delivery: Delivery, now: number): DeliveryState {
  const { status, nextAttemptAt, attempts } = delivery
  if (status === 'delivered') return { word: 'Delivered', kind: 'good', isBusy: false }
  if (status === 'failed') return { word: 'Failed', kind: 'bad', isBusy: false }
  if (status === 'stopped') return { word: 'Stopped', kind: 'plain', isBusy: false }
  if (isUnderWay(delivery, now)) return { word: 'Sending', kind: 'info', isBusy: true }
  const isDue = nextAttemptAt === undefined || Date.parse(nextAttemptAt) <= now
  if (isDue) return { word: 'Sending', kind: 'info', isBusy: true }
  return { word: attempts.length === 0 ? 'Waiting' : 'Will try again', kind: 'warning', isBusy: false }
}

const EVENTS: Readonly<Record<string, string>> = { 'batch.completed': 'Batch completed', 'batch.failed': 'Batch failed' }

export const shownEvent = (type: string): string => EVENTS[type] ?? type

/** How long until it is worth looking again; undefined where nothing will change by itself. */
export function nextLookMs(deliveries: readonly Delivery[], now: number): number | undefined {
  const waits = deliveries
    .filter(({ status }) => status === 'pending')
    .map((delivery) => (stateOf(delivery, now).isBusy ? 0 : Date.parse(delivery.nextAttemptAt ?? '') - now))
  if (waits.length === 0) return undefined
  return Math.min(60_000, Math.max(2_000, Math.min(...waits)))
}
