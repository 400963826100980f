/** What a row is searched by: the words of a text, and how much a hit in them counts. */
export interface Field {
  readonly words: readonly string[]
  readonly weight: number
}

/** How well the words of two texts fit, from 0 (not at all) to 1 (the same). */
const FIT = { same: 1, beginning: 0.9, inside: 0.5, oneLetterOff: 0.3 } as const
/** In shorter words a letter makes another word. */
const LEAST_INSIDE = 3
const LEAST_MISTYPED = 4

/** The words of a query, lower-case, of letters and digits alone: "Next.js" is nextjs. */
export const queryWords = (query: string): readonly string[] =>
  query
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replaceAll(/[^\p{L}\p{N}]/gu, ''))
    .filter(Boolean)

/** The distinct words of a text as they are compared: of "next.js" next, js and nextjs. */
export function searchWords(text: string): readonly string[] {
  const words = new Set<string>()
  for (const chunk of text.toLowerCase().split(/\s+/)) {
    const parts = chunk.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
    for (const part of parts) words.add(part)
    if (parts.length > 1) words.add(parts.join(''))
  }
  return [...words]
}

/**
 * The rows that have all words of a query, best first: the word itself or its beginning before a part of a word. Where no row
 * has them, those with words of which one letter differs.
 */
export function rankedRows<Row>(
  rows: readonly Row[],
  query: readonly string[],
  fieldsOf: (row: Row) => readonly Field[],
): readonly Row[] {
  if (query.length === 0) return []
  const exact = rowsByScore(rows, query, fieldsOf, exactFit)
  return exact.length > 0 ? exact : rowsByScore(rows, query, fieldsOf, mistypedFit)
}

type Fit = (word: string, of: string) => number

function rowsByScore<Row>(
  rows: readonly Row[],
  query: readonly string[],
  fieldsOf: (row: Row) => readonly Field[],
  fit: Fit,
): readonly Row[] {
  return rows
    .map((row) => ({ row, score: scoreOf(query, fieldsOf(row), fit) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ row }) => row)
}

/** 0 unless each word of the query fits somewhere. */
function scoreOf(query: readonly string[], fields: readonly Field[], fit: Fit): number {
  let score = 0
  for (const word of query) {
    const best = Math.max(0, ...fields.map(({ words, weight }) => weight * bestFit(word, words, fit)))
    if (best === 0) return 0
    score += best
  }
  return score
}

function bestFit(word: string, words: readonly string[], fit: Fit): number {
  let best = 0
  for (const each of words) best = Math.max(best, fit(word, each))
  return best
}

function exactFit(word: string, of: string): number {
  if (of === word) return FIT.same
  if (of.startsWith(word)) return FIT.beginning
  return word.length >= LEAST_INSIDE && of.includes(word) ? FIT.inside : 0
}

function mistypedFit(word: string, of: string): number {
  return exactFit(word, of) || (isOneLetterOff(word, of) ? FIT.oneLetterOff : 0)
}

/** Whether a letter more, less or other, or two that changed places, make one word of the other, or of its beginning. */
export function isOneLetterOff(word: string, of: string): boolean {
  if (word.length < LEAST_MISTYPED || of.length < word.length - 1) return false
  let at = 0
  while (at < word.length && word[at] === of[at]) at++
  const rest = word.slice(at)
  const ofRest = of.slice(at)
  return (
    ofRest.startsWith(rest.slice(1)) ||
    ofRest.slice(1).startsWith(rest) ||
    ofRest.slice(1).startsWith(rest.slice(1)) ||
    (rest.length > 1 && ofRest[0] === rest[1] && ofRest[1] === rest[0] && ofRest.slice(2).startsWith(rest.slice(2)))
  )
}
