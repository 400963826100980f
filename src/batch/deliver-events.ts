import type { Database } from '../database/database.ts'
import type { AttemptSettings } from '../webhooks/attempt.ts'
import { DELIVERY_DEFAULTS, type Dispatcher, type DispatcherEvents, startDispatcher } from '../webhooks/dispatcher.ts'
import { batchAtEvent } from './find-batch.ts'
import { statusBody } from './status-body.ts'

interface EventSettings extends Pick<AttemptSettings, 'outbound' | 'userAgent'> {
  readonly database: Pick<Database, 'pool' | 'kysely'>
}

/** Tells receivers what became of batches; `data` is the status body as it was at the event. */
export const deliverEvents = (settings: EventSettings, events: DispatcherEvents): Dispatcher =>
  startDispatcher(
    {
      ...DELIVERY_DEFAULTS,
      ...settings,
      dataOf: async (deliveryId) => statusBody(await batchAtEvent(settings.database.pool, deliveryId)),
    },
    events,
  )
