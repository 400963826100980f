import { queryWords } from '../search/ranked.ts'
import { searchOtherPages, showHits } from './hits.ts'

interface Entry {
  readonly section: HTMLElement
  readonly link: HTMLElement | null
  /** Its heading and path. */
  readonly name: string
  /** Its whole text. */
  readonly text: string
}

const lower = (element: Element | null): string => (element?.textContent ?? '').toLowerCase()

/** Every section with the link that leads to it. */
function entriesOf(): readonly Entry[] {
  return [...document.querySelectorAll<HTMLElement>('.found section')].map((section) => {
    const link = document.querySelector<HTMLElement>(`.contents a[href="#${section.id}"]`)
    return {
      section,
      link: link?.closest('li') ?? null,
      name: `${lower(section.querySelector('.head'))} ${section.id.toLowerCase()} ${lower(link)}`,
      text: lower(section),
    }
  })
}

/** Sections with the words in their names; without any, those with the words in their texts. */
function matching(entries: readonly Entry[], words: readonly string[]): ReadonlySet<Entry> {
  const having = (field: 'name' | 'text') => entries.filter((entry) => words.every((word) => entry[field].includes(word)))
  const byName = having('name')
  return new Set(byName.length > 0 ? byName : having('text'))
}

/** Makes the search box hide all sections that lack one of its words. */
export function makeSearchable(): void {
  const frame = document.querySelector<HTMLElement>('search')
  const box = frame?.querySelector('input')
  const counter = frame?.querySelector('#found')
  const nothing = document.querySelector<HTMLElement>('.nothing')
  if (!frame || !box || !counter || !nothing) return
  const entries = entriesOf()

  const wordsOf = (text = '') => text.toLowerCase().split(/\s+/).filter(Boolean)

  function search(): void {
    const words = wordsOf(box?.value)
    const hits = matching(entries, words)
    for (const entry of entries) {
      entry.section.hidden = !hits.has(entry)
      if (entry.link) entry.link.hidden = !hits.has(entry)
    }
    for (const group of document.querySelectorAll<HTMLElement>('.contents > div'))
      group.hidden = [...group.querySelectorAll('li')].every((row) => row.hidden) || (words.length > 0 && !isFound(group))
    for (const part of document.querySelectorAll<HTMLElement>('.basics, .start, .group, .own-key')) part.hidden = words.length > 0
    if (nothing) nothing.hidden = hits.size > 0
    const query = queryWords(words.join(' '))
    void searchOtherPages(query).then((parts) => {
      // Another search has begun meanwhile.
      if (wordsOf(box?.value).join(' ') !== words.join(' ')) return
      showHits(parts, query)
      if (nothing) nothing.hidden = hits.size > 0 || parts.length > 0
    })
    if (counter) counter.textContent = words.length === 0 ? '' : `${hits.size} of ${entries.length}`
    if (words.length > 0) window.scrollTo(0, 0)
  }
  /** Whether a group has links to searchable sections; the introduction has none. */
  const isFound = (group: Element) => entries.some(({ link }) => link !== null && group.contains(link))

  function showAll(): void {
    if (box) box.value = ''
    search()
  }

  box.addEventListener('input', search)
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && box.value !== '') {
      event.preventDefault()
      showAll()
    }
    const first = entries.find(({ section }) => !section.hidden)
    if (event.key === 'Enter' && box.value !== '' && first) location.hash = first.section.id
  })
  nothing.querySelector('button')?.addEventListener('click', () => {
    showAll()
    box.focus()
  })
  // A link to a hidden section shows it.
  window.addEventListener('hashchange', () => {
    const target = document.getElementById(location.hash.slice(1))
    if (target?.closest('section')?.hidden) {
      showAll()
      target.scrollIntoView()
    }
  })
  // Hits of other pages come before those of this one, below its title.
  const title = document.querySelector('main .lead') ?? document.querySelector('main h1')
  title?.after(document.querySelector('.elsewhere') ?? '')
  window.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    event.preventDefault()
    showMenu()
    box.select()
  })
  frame.hidden = false
}

/** On a phone the search is in the menu. */
function showMenu(): void {
  const menu = document.querySelector<HTMLElement>('#contents')
  if (menu && getComputedStyle(menu).display === 'none') menu.showPopover()
}
