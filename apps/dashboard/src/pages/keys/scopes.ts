import type { Answer } from '../../api/client.ts'

export type Scope = Answer<'/api/user/api-keys', 'get'>[number]['scopes'][number]

/** What a key can be used for, in the words of the dialog. */
export const scopeTexts: Readonly<Record<Scope, string>> = {
  images: 'Make, describe and upload images, with AI too',
  batch: 'Start batches and fetch their results',
  usage: 'Read usage and credits',
  sources: 'Change sources and sign their URLs',
  presets: 'Change presets',
}

/** What every key could do before there were scopes. */
export const USUAL_SCOPES: readonly Scope[] = ['images', 'batch', 'usage']
