import { api } from '../../api/client.ts'
import { GrowingList } from '../../api/growing-list.svelte.ts'
import type { LedgerEntry } from './credits-answer.ts'

export type Which = 'all' | 'bought'

/** The ledger entries, with or without calls. */
export class Ledger {
  which = $state<Which>('all')
  readonly list = new GrowingList<LedgerEntry>(
    (cursor, signal) =>
      api.get('/api/v2/credits/ledger', {
        query: {
          limit: cursor ? 50 : 20,
          ...(cursor && { cursor }),
          ...(this.which === 'bought' && { only: 'bought' as const }),
        },
        ...(signal && { signal }),
      }),
    ({ id }) => id,
    () => this.which,
  )
}

/** The ledger lives as long as the component. */
export const ledgerOf = (): Ledger => new Ledger()
