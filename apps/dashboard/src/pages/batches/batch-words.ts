import { imageFormats } from '@pixelmill/codecs/image-formats'
import { shownBytes } from '../../shown/bytes.ts'
import { numberFormat } from '../../shown/locale.ts'
import { shownNumber } from '../../shown/numbers.ts'
import type { BatchState } from './batch-follower.svelte.ts'

export const pictures = (count: number): string => `${shownNumber(count)} ${count === 1 ? 'picture' : 'pictures'}`

/** "12 pictures to WebP" */
export function batchWork({ progress, format, optimize }: Pick<BatchState, 'progress' | 'format' | 'optimize'>): string {
  const way = optimize ? 'in their own formats' : 'by a recipe'
  return `${pictures(progress.total)} ${format ? `to ${imageFormats[format].title}` : way}`
}

/** Its name, or a description if it has none. */
export const batchTitle = (batch: Pick<BatchState, 'name' | 'progress' | 'format' | 'optimize'>): string =>
  batch.name ?? batchWork(batch)

/** "quality 75", or of a recipe how many pictures it makes of each. */
export function shownQuality({ format, quality, recipe }: Pick<BatchState, 'format' | 'quality' | 'recipe'>): string {
  const outputs = recipe?.outputs?.length ?? 0
  if (outputs > 0) return outputs === 1 ? 'one output' : `${shownNumber(outputs)} outputs each`
  return format === 'png' && quality === 100 ? 'lossless' : `quality ${quality}`
}

const share = numberFormat({ style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' })

/** "−74%" */
export const shownChange = (from: number, to: number): string => share(from > 0 ? to / from - 1 : 0).replace('-', '−')

export const shownSizes = (from: number, to: number): string => `${shownBytes(from)} → ${shownBytes(to)}`

const AGAIN = 'Send it once more, in a new batch. Nothing was charged for it.'

/** What a person can do about a file that failed, by the code of its error; the message beside it says why it failed. */
const adviceByCode: Readonly<Record<string, string>> = {
  invalid_image: 'Export it again from the original, check that it opens, and send that.',
  invalid_image_type: 'Save it as JPEG, PNG or WebP, whatever its name ends with, or leave it out.',
  file_too_large: 'Export it with fewer pixels or at a lower quality.',
  image_too_large: 'Make it smaller before you send it, or cut it into parts.',
  invalid_params: 'Change the settings to what this picture allows, and send it in a new batch.',
  cannot_fit: 'Allow more bytes, or ask for a smaller size.',
  background_not_separable: 'Take a photograph before a plainer background.',
  conversion_failed: AGAIN,
  internal_error: AGAIN,
  server_busy: AGAIN,
}

export const failureAdvice = (code: string): string =>
  adviceByCode[code] ?? 'Read what the error means, then send the file in a new batch.'
