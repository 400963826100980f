import type { DocumentationPart } from '../../web/documentation-part.ts'
import { documentationHits, documentationParts } from '../search/documentation.ts'
import { excerptOf, markedText, type Piece } from '../search/excerpt.ts'

const MOST_SHOWN = 12

/** The parts of other pages that have the words. */
export async function searchOtherPages(query: readonly string[]): Promise<readonly DocumentationPart[]> {
  if (query.length === 0) return []
  const parts = await documentationParts()
  const others = parts.filter(({ href }) => new URL(href, location.href).pathname !== location.pathname)
  return documentationHits(others, query)
}

/** Lists hits below the title of the page, each with an excerpt. */
export function showHits(parts: readonly DocumentationPart[], query: readonly string[]): void {
  const frame = document.querySelector<HTMLElement>('.elsewhere')
  const heading = frame?.querySelector('h2')
  const list = frame?.querySelector('ul')
  if (!frame || !heading || !list) return
  frame.hidden = parts.length === 0
  heading.textContent = parts.length > 0 ? `In the guides: ${parts.length}` : ''
  list.replaceChildren(...parts.slice(0, MOST_SHOWN).map((part) => rowOf(part, query)))
}

function rowOf({ href, page, heading, text }: DocumentationPart, query: readonly string[]): HTMLElement {
  const link = document.createElement('a')
  link.href = href
  link.append(...nodesOf(markedText(heading === '' ? page : `${page}: ${heading}`, query)))
  const excerpt = document.createElement('p')
  excerpt.className = 'soft'
  excerpt.append(...nodesOf(excerptOf(text, query)))
  const row = document.createElement('li')
  row.append(link, excerpt)
  return row
}

const nodesOf = (pieces: readonly Piece[]): readonly (Node | string)[] =>
  pieces.map(({ text, isHit }) => {
    if (!isHit) return text
    const mark = document.createElement('mark')
    mark.textContent = text
    return mark
  })
