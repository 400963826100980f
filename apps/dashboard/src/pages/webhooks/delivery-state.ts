import type { Answer } from '../../api/client.ts'

export type Delivery = Answer<'/api/user/webhook-deliveries', 'get'>['data'][number]

export interface DeliveryState {
  readonly word: string
  readonly kind: 'plain' | 'info' | 'good' | 'warning' | 'bad'
  /** An attempt is running, or about to start. */
  readonly isBusy: boolean
}

/** After this time, a running attempt was abandoned by its server, and a due one has no process to make it. */
const LEFT_BEHIND_MS = 60_000

const isUnderWay = ({ status, attempts }: Delivery, now: number): boolean => {
  const last = attempts.at(-1)
  return (
    status === 'pending' && last?.durationMs === undefined && last !== undefined && now - Date.parse(last.at) < LEFT_BEHIND_MS
  )
}

const dueAt = ({ nextAttemptAt, createdAt }: Delivery): number => Date.parse(nextAttemptAt ?? createdAt)

export function stateOf(delivery: Delivery, now: number): DeliveryState {
  const { status, attempts } = delivery
  if (status === 'delivered') return { word: 'Delivered', kind: 'good', isBusy: false }
  if (status === 'failed') return { word: 'Failed', kind: 'bad', isBusy: false }
  if (status === 'stopped') return { word: 'Stopped', kind: 'plain', isBusy: false }
  if (isUnderWay(delivery, now)) return { word: 'Sending', kind: 'info', isBusy: true }
  const late = now - dueAt(delivery)
  if (late >= 0 && late < LEFT_BEHIND_MS) return { word: 'Sending', kind: 'info', isBusy: true }
  return { word: attempts.length === 0 ? 'Waiting' : 'Will try again', kind: 'warning', isBusy: false }
}

const EVENTS: Readonly<Record<string, string>> = { 'batch.completed': 'Batch completed', 'batch.failed': 'Batch failed' }

export const shownEvent = (type: string): string => EVENTS[type] ?? type

/** Milliseconds: while an attempt is running, while a due one is not started, and at most. */
const LOOKS = { busy: 2_000, late: 10_000, most: 60_000 } as const

/** Delay until the next refresh; undefined if nothing will change by itself. */
export function nextLookMs(deliveries: readonly Delivery[], now: number): number | undefined {
  const waits = deliveries
    .filter(({ status }) => status === 'pending')
    .map((delivery) => {
      if (stateOf(delivery, now).isBusy) return LOOKS.busy
      const left = dueAt(delivery) - now
      return left < 0 ? LOOKS.late : Math.min(LOOKS.most, Math.max(LOOKS.busy, left))
    })
  return waits.length > 0 ? Math.min(...waits) : undefined
}
