import { findMismatches } from 'pixelmill-server/metering/ledger'
import { accountTotals } from 'pixelmill-server/test/support/account-totals'
import { grant, makeAccount } from 'pixelmill-server/test/support/accounts'
import { type Client, client } from './client.ts'
import type { Service } from './service.ts'

const CREDITS = 100_000

/** A customer that pays by credits or has a plan, with the expected cost of all batches so far. */
export interface Customer extends Client {
  readonly id: string
  readonly pays: 'credits' | 'plan'
  readonly conversions: number
  owes(images: number): void
}

export async function makeCustomer({ url, database }: Service, pays: Customer['pays']): Promise<Customer> {
  const { id, key } = await makeAccount(database, pays === 'credits' ? 'free' : 'enterprise')
  if (pays === 'credits') await grant(database, id, CREDITS)
  let conversions = 0
  return {
    ...client(url, key),
    id,
    pays,
    get conversions() {
      return conversions
    },
    owes(images) {
      conversions += images
    },
  }
}

/** Lists charging faults of a customer: expects one call for each converted image, and nothing reserved. */
export async function chargingFaults(
  { database }: Service,
  { id, pays, conversions: conversionCount }: Customer,
): Promise<readonly string[]> {
  const totals = await accountTotals(database, id)
  const charges = pays === 'credits' ? CREDITS - totals.credits : totals.used
  const faults = [
    ...(charges === conversionCount ? [] : [`${charges} calls were charged by ${pays} for ${conversionCount} images`]),
    ...(totals.reserved === 0 && totals.open === 0 ? [] : [`${totals.reserved} credits and ${totals.open} calls stay reserved`]),
    ...(totals.booked === totals.credits ? [] : [`the ledger adds up to ${totals.booked}, the balance is ${totals.credits}`]),
  ]
  const mismatches = await findMismatches(database)
  return mismatches.length === 0 ? faults : [...faults, `the ledger does not match: ${JSON.stringify(mismatches)}`]
}
