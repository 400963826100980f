import { imageFormats } from '@pixelmill/codecs/image-formats'
import { shownBytes } from '../../../shown/bytes.ts'
import type { Size } from '../../playground/geometry.ts'
import type { Preview } from '../../playground/preview.ts'
import type { DraftOutput } from '../draft/draft-recipe.ts'
import type { Result } from './making.svelte.ts'
import type { Render } from './renders.svelte.ts'

const titleOfType = (mediaType: string): string | undefined =>
  Object.values(imageFormats).find(({ mime }) => mime === mediaType)?.title

const titleOfName = (format: string): string | undefined =>
  (imageFormats as Readonly<Record<string, { readonly title: string }>>)[format]?.title

/** The format of a file, as people call it. @param picture the media type of the picture that is open */
export function formatWords({ settings }: DraftOutput, picture: string, render: Render | undefined): string {
  const format = String(settings.format ?? 'same')
  if (format === 'same') return titleOfType(picture) ?? 'Same format'
  return titleOfName(format) ?? (render ? `${titleOfType(render.mediaType) ?? ''} by ${format}`.trim() : format)
}

export const sizeWords = (size: Size | undefined): string | undefined => size && `${size.width} × ${size.height}`

/** The bytes of the file; before it is made, about as many, judged by the preview. */
export function bytesWords(
  { settings }: DraftOutput,
  original: Preview | undefined,
  render: Render | undefined,
  result: Result | undefined,
): string | undefined {
  if (result) return shownBytes(result.blob.size)
  // The copy of a picture that the browser cannot show has another format.
  if (!render || (original?.isConverted && (settings.format ?? 'same') === 'same')) return undefined
  const most = typeof settings.maxBytes === 'number' ? settings.maxBytes : Number.POSITIVE_INFINITY
  return `≈\u00a0${shownBytes(Math.min(most, render.bytes))}`
}
