/** A part of a guide, which is a page of its own. */
interface GuidePart {
  readonly href: string
  readonly guide: string
  readonly heading: string
  readonly text: string
}

const MOST_SHOWN = 12

let index: Promise<readonly GuidePart[]> | undefined

/** The text of all guides, fetched at the first search. Without it the page itself can still be searched. */
async function readIndex(): Promise<readonly GuidePart[]> {
  try {
    const response = await fetch('/docs/guides.json')
    if (response.ok) return await response.json()
  } catch {
    // The server cannot be reached now: the next search asks again.
  }
  index = undefined
  return []
}

/** The parts of other pages that have all of the words: those with the words in their titles first. */
export async function searchGuides(words: readonly string[]): Promise<readonly GuidePart[]> {
  if (words.length === 0) return []
  index ??= readIndex()
  const others = (await index).filter(({ href }) => new URL(href, location.href).pathname !== location.pathname)
  const having = (textOf: (part: GuidePart) => string) =>
    others.filter((part) => words.every((word) => textOf(part).toLowerCase().includes(word)))
  const byTitle = having(({ guide, heading }) => `${guide} ${heading}`)
  return [...new Set([...byTitle, ...having(({ guide, heading, text }) => `${guide} ${heading} ${text}`)])]
}

export function showGuides(parts: readonly GuidePart[]): void {
  const frame = document.querySelector<HTMLElement>('.elsewhere')
  const heading = frame?.querySelector('h2')
  const list = frame?.querySelector('ul')
  if (!frame || !heading || !list) return
  frame.hidden = parts.length === 0
  heading.textContent = parts.length > 0 ? `In the guides: ${parts.length}` : ''
  list.replaceChildren(
    ...parts.slice(0, MOST_SHOWN).map((part) => {
      const link = document.createElement('a')
      link.href = part.href
      link.textContent = `${part.guide}: ${part.heading}`
      const row = document.createElement('li')
      row.append(link)
      return row
    }),
  )
}
