import { z } from 'zod'
import { type Issue, invalidParams } from './image-errors.ts'
import { nulIssues, refuseNul } from './nul.ts'

/** The text fields of a form, in the order they came; a field sent twice has two values. */
export type FormFields = ReadonlyMap<string, readonly string[]>

const OWN_WORDS = { error: (issue: RawIssue) => issueText(issue) } as const

/**
 * Parses form fields to typed parameters. Blank fields count as absent, unknown ones are ignored.
 * @throws ImageError invalid_params with one issue for each fault.
 */
export function parseFields<Schema extends z.ZodObject>(schema: Schema, fields: FormFields): z.output<Schema> {
  const keyValues = Object.keys(schema.shape).map(
    (name) => [name, (fields.get(name) ?? []).filter((value) => value.trim() !== '')] as const,
  )
  const repeatedKeys = keyValues
    .filter(([, values]) => values.length > 1)
    .map(([name]): Issue => ({ path: [name], code: 'repeated', message: 'Must be sent once.' }))
  const result = schema.safeParse(
    Object.fromEntries(keyValues.filter(([, values]) => values.length > 0).map(([name, [value]]) => [name, value])),
    OWN_WORDS,
  )
  const issues = [...repeatedKeys, ...issuesOf(result)]
  if (result.success && issues.length === 0) return result.data
  throw invalidParams(issues)
}

/**
 * Parses JSON to typed values. Unknown names are ignored, or refused where the schema is a strict object.
 * @throws ImageError invalid_params with one issue for each fault
 */
export function parseJson<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, OWN_WORDS)
  const issues = issuesOf(result)
  if (result.success && issues.length === 0) return result.data
  throw invalidParams(issues)
}

/**
 * A request's JSON body. An optional field that is null, or blank where that is no value, counts as absent, as in a form.
 * @throws ImageError invalid_params with one issue for each fault
 */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  refuseNul(body)
  return parseJson(schema, withoutBlanks(schema, body))
}

/** Removes blank optional fields at all levels of the schema. */
function withoutBlanks(schema: z.ZodType, value: unknown): unknown {
  const kind = innerSchema(schema)
  if (kind instanceof z.ZodArray && Array.isArray(value))
    return value.map((each) => withoutBlanks(kind.element as z.ZodType, each))
  if (!(kind instanceof z.ZodObject) || typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const fields = Object.entries(value).map(([name, each]) => {
    const field: z.ZodType | undefined = Object.hasOwn(kind.shape, name) ? kind.shape[name] : undefined
    return { name, each, field }
  })
  return Object.fromEntries(
    fields
      .filter(({ each, field }) => !field || !isAbsent(field, each))
      .map(({ name, each, field }) => [name, field ? withoutBlanks(field, each) : each]),
  )
}

const innerSchema = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional
    ? innerSchema(schema.unwrap() as z.ZodType)
    : schema

function isAbsent(field: z.ZodType, value: unknown): boolean {
  const isBlank = value === null || (typeof value === 'string' && value.trim() === '')
  return isBlank && field.safeParse(undefined).success && !field.safeParse(value).success
}

/** The parameters of a query as form fields. */
export const fieldsOf = (query: URLSearchParams): FormFields =>
  new Map([...query.keys()].map((name) => [name, query.getAll(name)]))

/** @throws ImageError invalid_params with one issue for each fault; a parameter that is sent twice or blank is one */
export function parseQuery<Schema extends z.ZodObject>(schema: Schema, query: URLSearchParams): z.output<Schema> {
  const blank = Object.keys(schema.shape).filter((name) => query.getAll(name).some((value) => value.trim() === ''))
  if (blank.length > 0)
    throw invalidParams(blank.map((name) => ({ path: [name], code: 'too_small', message: 'Must not be blank.' })))
  return parseFields(schema, fieldsOf(query))
}

const issuesOf = (result: z.ZodSafeParseResult<unknown>): readonly Issue[] =>
  result.success ? nulIssues(result.data) : result.error.issues.flatMap(toIssues)

/** Unknown names listed in an answer: a body of 64 KiB may have ten thousand. */
const MOST_UNKNOWN = 20

/** One issue for each unknown name; other issues stay as they are. */
function toIssues(issue: z.core.$ZodIssue): readonly Issue[] {
  const path = issue.path.map(plain)
  if (issue.code !== 'unrecognized_keys') return [{ path, code: issue.code, message: issue.message }]
  return issue.keys
    .slice(0, MOST_UNKNOWN)
    .map((name) => ({ path: [...path, name], code: issue.code, message: 'Is not a field of this request.' }))
}

const plain = (key: PropertyKey): string | number => (typeof key === 'number' ? key : String(key))

type RawIssue = z.core.$ZodRawIssue
type Code = z.core.$ZodIssue['code']

/** Names of types in messages. */
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

/** Units of lengths in messages. */
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

function boundIssue(words: string, origin: string, value: number | bigint): string {
  const unit = units[origin]
  if (!unit) return `Must be ${words} ${value}.`
  return `Must have ${words} ${value} ${value === 1 ? unit.one : unit.many}.`
}

const listOf = (values: readonly unknown[]) => values.map(String).join(', ')

/** The message of each kind of issue where a schema has none of its own, in place of the library's. */
const texts: { readonly [Each in Code]: (issue: Extract<RawIssue, { readonly code: Each }>) => string } = {
  invalid_type: ({ expected, input }) =>
    input === undefined ? 'Is needed.' : `Must be ${kinds[expected] ?? 'of another kind'}.`,
  invalid_value: ({ values }) => (values.length === 1 ? `Must be ${listOf(values)}.` : `Must be one of ${listOf(values)}.`),
  too_small: ({ origin, minimum, inclusive, exact }) =>
    boundIssue(exact ? 'exactly' : inclusive === false ? 'more than' : 'at least', origin, minimum),
  too_big: ({ origin, maximum, inclusive, exact }) =>
    boundIssue(exact ? 'exactly' : inclusive === false ? 'less than' : 'at most', origin, maximum),
  invalid_format: ({ format }) => `Must be ${formats[format] ?? 'of the form that the documentation gives'}.`,
  not_multiple_of: ({ divisor }) => `Must be a multiple of ${divisor}.`,
  unrecognized_keys: ({ keys }) => `Must not have ${listOf(keys)}.`,
  invalid_union: () => 'Must be of one of the forms that the documentation gives.',
  invalid_key: () => 'Has a name that is not allowed.',
  invalid_element: () => 'Has an entry that is not allowed.',
  custom: () => 'Is not valid.',
}

/** The error map for zod. */
const issueText = (issue: RawIssue): string => (texts[issue.code as Code] as (issue: RawIssue) => string)(issue)
