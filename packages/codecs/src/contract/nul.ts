import { type Issue, invalidParams } from './image-errors.ts'

// U+0000 has no meaning in a name, a path or a text of this service, and PostgreSQL and the system cannot store it.

const NUL = '\0'

/** @throws ImageError invalid_params with one issue for each text and name with U+0000, at any depth */
export function refuseNul(value: unknown): void {
  refuseIssues(nulIssues(value))
}

/**
 * The path and the query of an address, as they were sent.
 * @throws ImageError invalid_params where they have U+0000 percent-encoded
 */
export function refuseNulInAddress(url: string): void {
  if (!url.includes('%00')) return
  const [path = '', query] = url.split('?')
  const faulty = [...new URLSearchParams(query)].filter((parameter) => parameter.some(hasNul))
  refuseIssues([...(path.includes('%00') ? ['path'] : []), ...faulty.map(([name]) => name)].map((name) => issueOf([name])))
}

interface Place {
  readonly value: unknown
  readonly key?: string | number
  readonly parent?: Place
}

/** One issue for each text and name with U+0000. A body may be ten thousand levels deep: there is no recursion. */
export function nulIssues(value: unknown): readonly Issue[] {
  const issues: Issue[] = []
  const open: Place[] = [{ value }]
  for (let place = open.pop(); place && issues.length < MOST_ISSUES; place = open.pop()) {
    if (hasNul(place.value) || hasNul(place.key)) issues.push(issueOf(pathOf(place)))
    else for (const part of partsOf(place)) open.push(part)
  }
  return issues
}

const hasNul = (text: unknown): boolean => typeof text === 'string' && text.includes(NUL)

/** An answer need not list each of ten thousand. */
const MOST_ISSUES = 20

function partsOf(parent: Place): readonly Place[] {
  const { value } = parent
  if (Array.isArray(value)) return value.map((part, key) => ({ value: part, key, parent }))
  if (typeof value !== 'object' || value === null || !isPlain(value)) return []
  return Object.entries(value).map(([key, part]) => ({ value: part, key, parent }))
}

/** An image that was decoded, for example, has no texts. */
const isPlain = (value: object): boolean => [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)

function pathOf(place: Place): Issue['path'] {
  const keys: (string | number)[] = []
  for (let at: Place | undefined = place; at; at = at.parent) if (at.key !== undefined) keys.push(at.key)
  return keys.reverse()
}

const issueOf = (path: Issue['path']): Issue => ({
  path,
  code: 'invalid_format',
  message: 'Must not contain the character U+0000.',
})

function refuseIssues(issues: readonly Issue[]): void {
  if (issues.length > 0) throw invalidParams(issues)
}
