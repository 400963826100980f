import { type Entry, kinds } from './entries.ts'

/** The key in the local storage. Only places that everybody has are kept: names of batches and sources are the account's own. */
const RECENT = 'recent'
const MOST = 5
const KEPT: readonly Entry['kind'][] = ['page', 'tool', 'setting', 'guide']

/** The places that were chosen last, the latest first. */
export function recentEntries(): readonly Entry[] {
  try {
    const rows: unknown = JSON.parse(localStorage.getItem(RECENT) ?? '[]')
    return Array.isArray(rows) ? rows.filter(isEntry).slice(0, MOST) : []
  } catch {
    // Without storage, or with what somebody else has written there, nothing is recent.
    return []
  }
}

export function rememberEntry(entry: Entry): void {
  if (!KEPT.includes(entry.kind)) return
  const others = recentEntries().filter(({ href, label }) => href !== entry.href || label !== entry.label)
  const { kind, label, href, icon } = entry
  try {
    localStorage.setItem(RECENT, JSON.stringify([{ kind, label, href, icon, words: '' }, ...others].slice(0, MOST)))
  } catch {
    // Without storage nothing is recent.
  }
}

const isEntry = (row: unknown): row is Entry =>
  typeof row === 'object' &&
  row !== null &&
  'kind' in row &&
  typeof row.kind === 'string' &&
  Object.hasOwn(kinds, row.kind) &&
  'label' in row &&
  typeof row.label === 'string' &&
  'href' in row &&
  typeof row.href === 'string' &&
  row.href.startsWith('/') &&
  'icon' in row &&
  typeof row.icon === 'string'
