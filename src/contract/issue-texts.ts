import type { z } from 'zod'

type RawIssue = z.core.$ZodRawIssue
type Code = z.core.$ZodIssue['code']

/** What a value should have been, as the sentence names it. */
const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

/** What is counted where something has a length. */
const units: Readonly<Record<string, { readonly one: string; readonly many: string }>> = {
  string: { one: 'character', many: 'characters' },
  array: { one: 'entry', many: 'entries' },
  set: { one: 'entry', many: 'entries' },
  map: { one: 'entry', many: 'entries' },
}

const formats: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  url: 'a URL',
  uuid: 'a UUID',
  datetime: 'a time as 2026-01-31T12:00:00Z',
  date: 'a date as 2026-01-31',
}

function bounded(words: string, origin: string, value: number | bigint): string {
  const unit = units[origin]
  if (!unit) return `Must be ${words} ${value}.`
  return `Must have ${words} ${value} ${value === 1 ? unit.one : unit.many}.`
}

const listed = (values: readonly unknown[]) => values.map(String).join(', ')

/** What is said of each kind of fault where a schema has no sentence of its own: no word of the library's reaches a client. */
const texts: { readonly [Each in Code]: (issue: Extract<RawIssue, { readonly code: Each }>) => string } = {
  invalid_type: ({ expected, input }) =>
    input === undefined ? 'Is needed.' : `Must be ${kinds[expected] ?? 'of another kind'}.`,
  invalid_value: ({ values }) => (values.length === 1 ? `Must be ${listed(values)}.` : `Must be one of ${listed(values)}.`),
  too_small: ({ origin, minimum, inclusive, exact }) =>
    bounded(exact ? 'exactly' : inclusive === false ? 'more than' : 'at least', origin, minimum),
  too_big: ({ origin, maximum, inclusive, exact }) =>
    bounded(exact ? 'exactly' : inclusive === false ? 'less than' : 'at most', origin, maximum),
  invalid_format: ({ format }) => `Must be ${formats[format] ?? 'of the form that the documentation gives'}.`,
  not_multiple_of: ({ divisor }) => `Must be a multiple of ${divisor}.`,
  unrecognized_keys: ({ keys }) => `Must not have ${listed(keys)}.`,
  invalid_union: () => 'Must be of one of the forms that the documentation gives.',
  invalid_key: () => 'Has a name that is not allowed.',
  invalid_element: () => 'Has an entry that is not allowed.',
  custom: () => 'Is not valid.',
}

/** For zod, at each parse. */
export const issueText = (issue: RawIssue): string => (texts[issue.code as Code] as (issue: RawIssue) => string)(issue)
