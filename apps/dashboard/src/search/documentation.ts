import type { DocumentationPart } from '../../web/documentation-part.ts'
import { type Field, rankedRows, searchWords } from './ranked.ts'

/** Of one page: more of it are found on it. */
const MOST_OF_A_PAGE = 2

let index: Promise<readonly DocumentationPart[]> | undefined

/** The text of the documentation, fetched at the first search. Without it nothing is found, and the next search asks again. @throws never */
export function documentationParts(): Promise<readonly DocumentationPart[]> {
  index ??= readIndex()
  return index
}

async function readIndex(): Promise<readonly DocumentationPart[]> {
  try {
    const response = await fetch('/docs/search.json')
    if (response.ok) return (await response.json()) as readonly DocumentationPart[]
  } catch {
    // The server cannot be reached now.
  }
  index = undefined
  return []
}

const fields = new WeakMap<DocumentationPart, readonly Field[]>()

function fieldsOf(part: DocumentationPart): readonly Field[] {
  const cachedFields = fields.get(part)
  if (cachedFields) return cachedFields
  const own = [
    { words: searchWords(part.page), weight: part.heading === '' ? 10 : 6 },
    { words: searchWords(part.heading), weight: 8 },
    { words: searchWords(part.words ?? ''), weight: 5 },
    { words: searchWords(part.text), weight: 2 },
  ]
  fields.set(part, own)
  return own
}

/** Of these parts those that have all words, best first, at most two of a page. */
export function documentationHits(parts: readonly DocumentationPart[], query: readonly string[]): readonly DocumentationPart[] {
  const counts = new Map<string, number>()
  return rankedRows(parts, query, fieldsOf).filter(({ page }) => {
    const count = (counts.get(page) ?? 0) + 1
    counts.set(page, count)
    return count <= MOST_OF_A_PAGE
  })
}
