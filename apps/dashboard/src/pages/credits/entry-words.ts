import { shownPrice } from '../../shown/money.ts'
import { shownCount } from '../../shown/numbers.ts'
import type { LedgerEntry } from './credits-answer.ts'

const words: Readonly<Record<LedgerEntry['kind'], (entry: LedgerEntry) => string>> = {
  purchase: ({ purchase }) =>
    purchase ? `Bought the package “${purchase.packageId}” for ${shownPrice(purchase.price)}` : 'Bought',
  grant: () => 'Granted by the administrator',
  call: ({ credits }) => (credits === -1 ? 'Call' : shownCount(-credits, 'call')),
  refund: ({ credits }) => (credits === 1 ? 'Given back for a call' : `Given back for ${shownCount(credits, 'call')}`),
  purchase_refund: ({ purchase }) =>
    purchase ? `Taken back: the package “${purchase.packageId}” was refunded` : 'Taken back: a purchase was refunded',
}

/** A ledger entry in words. */
export const entryWords = (entry: LedgerEntry): string => words[entry.kind](entry)
