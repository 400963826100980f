import type { Answer } from '../../api/client.ts'

export type CreditsAnswer = Answer<'/api/v2/credits', 'get'>
export type CreditPackage = CreditsAnswer['packages'][number]
export type LedgerEntry = Answer<'/api/v2/credits/ledger', 'get'>['data'][number]
export type Purchase = Answer<'/api/user/credits/purchases/{id}', 'get'>
