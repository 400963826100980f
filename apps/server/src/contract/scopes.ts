import { z } from 'zod'

/** What a key may be used for, by name; the dashboard, the documents and the admission of each route are made from these rows. */
export const scopes = {
  images: 'make, describe and upload images, with AI and background removal too',
  batch: 'start batches, follow them and fetch their results',
  sources: 'list, save and remove sources, and sign their URLs',
  presets: 'list, save and remove presets',
  usage: 'read usage and credits',
} as const

export type Scope = keyof typeof scopes

export const scopeNames = Object.keys(scopes) as readonly Scope[]

/** What every key could do before there were scopes; the migration gives older keys the same. */
export const USUAL_SCOPES: readonly Scope[] = ['images', 'batch', 'usage']

const TEXTS = Object.entries(scopes)
  .map(([name, text]) => `\`${name}\`: ${text}`)
  .join('; ')

export const scopeList = z
  .array(z.enum(scopeNames))
  .min(1)
  .max(scopeNames.length)
  .describe(`What the key may be used for. ${TEXTS}.`)

/** In the order of the table, each once. */
export const inOrder = (chosenScopes: readonly Scope[]): readonly Scope[] =>
  scopeNames.filter((name) => chosenScopes.includes(name))

/** Of a refused key: what it would need. */
export const missingScope = (acceptedScopes: readonly Scope[]): string =>
  `This API key lacks the scope ${acceptedScopes.map((name) => `"${name}"`).join(' or ')}; use a key that has it.`
