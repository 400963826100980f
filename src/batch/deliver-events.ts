import type { Database } from '../database/database.ts'
import type { AttemptSettings } from '../webhooks/attempt.ts'
import { DELIVERY_DEFAULTS, type Dispatcher, type DispatcherEvents, startDispatcher } from '../webhooks/dispatcher.ts'
import { batchAtEvent } from './find-batch.ts'
import { type OutageEvents, outage } from './outage.ts'
import { statusBody } from './status-body.ts'

interface EventSettings extends Pick<AttemptSettings, 'outbound' | 'userAgent'> {
  readonly database: Pick<Database, 'pool' | 'kysely'>
}

interface TellingEvents extends Pick<DispatcherEvents, 'onAttempt' | 'onFault'> {
  readonly database: OutageEvents
}

/** Tells receivers what became of batches; `data` is the status body as it was at the event. */
export function deliverEvents(settings: EventSettings, { database, ...events }: TellingEvents): Dispatcher {
  const databaseOutage = outage(database)
  return startDispatcher(
    {
      ...DELIVERY_DEFAULTS,
      ...settings,
      dataOf: async (deliveryId) => statusBody(await batchAtEvent(settings.database.pool, deliveryId)),
    },
    { ...events, onLook: (error) => (error === undefined ? databaseOutage.worked() : databaseOutage.failed(error)) },
  )
}
