import { z } from 'zod'

export const price = z.object({
  amount: z.int().min(1).describe("In the currency's smallest unit: 900 is 9.00 USD."),
  currency: z.string().describe('ISO 4217 in small letters.'),
})

/** A movement of credits. */
export const ledgerEntry = z.object({
  id: z.int(),
  kind: z.enum(['purchase', 'grant', 'call', 'refund', 'purchase_refund']),
  credits: z.int().describe('Negative when spent.'),
  balance: z.int().describe('What the account had after this entry.'),
  at: z.iso.datetime(),
})
