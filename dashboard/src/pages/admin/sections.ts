import type { IconName } from '../../../../src/web/icons.ts'

/** What `/admin/…` shows; `/admin` alone is the first. */
export const sections = {
  users: { label: 'Accounts', icon: 'person' },
  system: { label: 'System', icon: 'bars' },
  audit: { label: 'Audit log', icon: 'book' },
} as const satisfies Record<string, { readonly label: string; readonly icon: IconName }>

export type Section = keyof typeof sections

const isSection = (name: string): name is Section => Object.hasOwn(sections, name)

/** Undefined for what is none. */
export const sectionAt = (name = 'users'): Section | undefined => (isSection(name) ? name : undefined)
