import { imageFormats } from '../../../../src/web/image-formats.ts'
import { shownBytes } from '../../shown/bytes.ts'
import { locale } from '../../shown/locale.ts'
import { shownNumber } from '../../shown/numbers.ts'
import type { BatchState } from './batch-follower.svelte.ts'

export const pictures = (count: number): string => `${shownNumber(count)} ${count === 1 ? 'picture' : 'pictures'}`

/** "12 pictures to WebP" */
export const batchWork = ({ progress, format }: Pick<BatchState, 'progress' | 'format'>): string =>
  `${pictures(progress.total)} to ${imageFormats[format].title}`

/** Its name, or a description if it has none. */
export const batchTitle = (batch: Pick<BatchState, 'name' | 'progress' | 'format'>): string => batch.name ?? batchWork(batch)

export const shownQuality = ({ format, quality }: Pick<BatchState, 'format' | 'quality'>): string =>
  format === 'png' && quality === 100 ? 'lossless' : `quality ${quality}`

const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' })

/** "−74%" */
export const shownChange = (from: number, to: number): string => share.format(from > 0 ? to / from - 1 : 0).replace('-', '−')

export const shownSizes = (from: number, to: number): string => `${shownBytes(from)} → ${shownBytes(to)}`
