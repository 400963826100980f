import type { IconName } from '../../../web/icons.ts'

/** The sections of `/admin/…`; `/admin` alone is the first. */
export const sections = {
  users: { label: 'Accounts', icon: 'person' },
  system: { label: 'System', icon: 'bars' },
  audit: { label: 'Audit log', icon: 'book' },
} as const satisfies Record<string, { readonly label: string; readonly icon: IconName }>

export type Section = keyof typeof sections

const isSection = (name: string): name is Section => Object.hasOwn(sections, name)

/** The section of a path; undefined for an unknown one. */
export const sectionAt = (name = 'users'): Section | undefined => (isSection(name) ? name : undefined)
