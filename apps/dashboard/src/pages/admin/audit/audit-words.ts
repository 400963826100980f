import type { Answer } from '../../../api/client.ts'
import { shownNumber } from '../../../shown/numbers.ts'
import { shownMoment } from '../../../shown/times.ts'

export type Entry = Answer<'/api/admin/audit', 'get'>['data'][number]

const SHORT: Readonly<Record<string, string>> = { api: 'API', ai: 'AI' }

/** "api_key_made" → "API key made"; "tokensRevoked" → "Tokens revoked". */
export function wordsOf(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
    .map((word) => SHORT[word] ?? word)
    .join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** As JSON has the time of something, such as the end of a secret. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z$/

const textOf = (value: unknown): string => {
  if (typeof value === 'number') return shownNumber(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (typeof value !== 'string') return JSON.stringify(value)
  return MOMENT.test(value) ? shownMoment(value) : value
}

/** The details of an entry beyond its action, as names and values; a change is one line without a name. */
export function detailsOf({ details }: Entry): readonly { readonly name: string; readonly value: string }[] {
  const { from, to, ...rest } = details
  const change = from !== undefined && to !== undefined ? [{ name: '', value: `${textOf(from)} → ${textOf(to)}` }] : []
  return [...change, ...Object.entries(rest).map(([name, value]) => ({ name: wordsOf(name), value: textOf(value) }))]
}

/** The account of an entry; for a deleted account only the id. */
export const accountOf = ({ account: { email, id } }: Entry): string => email ?? id

export function actorOf({ actor, account, address }: Entry): string {
  if (actor === null) return address === null ? 'The server' : 'A visitor'
  return actor.id === account.id ? 'Its owner' : (actor.email ?? actor.id)
}
