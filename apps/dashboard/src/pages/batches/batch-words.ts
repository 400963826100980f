import { imageFormats } from '@pixelmill/codecs/image-formats'
import { shownBytes } from '../../shown/bytes.ts'
import { locale } from '../../shown/locale.ts'
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

const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' })

/** "−74%" */
export const shownChange = (from: number, to: number): string => share.format(from > 0 ? to / from - 1 : 0).replace('-', '−')

export const shownSizes = (from: number, to: number): string => `${shownBytes(from)} → ${shownBytes(to)}`
