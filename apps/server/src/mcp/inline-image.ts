import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { z } from 'zod'

/** How a caller of the API names an image. */
export const image = z
  .strictObject({
    handle: z.string().optional(),
    source: z.string().optional(),
    path: z.string().optional(),
    base64: z.string().optional(),
    url: z.string().optional(),
  })
  .refine(
    ({ handle, source, path, base64, url }) =>
      [handle, source, base64, url].filter((value) => value !== undefined).length === 1 &&
      (source === undefined) === (path === undefined),
    'Must be {handle}, {source, path}, {url} or {base64}.',
  )

export type Image = z.output<typeof image>

/** Base64 in a tool call costs an agent a token for every few bytes. */
const MOST_INLINE_BYTES = 256 * 1024

/** Models write data URIs as well. */
const DATA_URI = /^data:[\w.+/-]{1,100};base64,/
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** @throws ApiError invalid_params */
export function inlineBytes(text: string): Buffer {
  const digits = text.replace(DATA_URI, '')
  if (digits.length % 4 !== 0 || !BASE64.test(digits))
    throw invalidParam('base64', 'invalid_format', 'Is not base64, or was cut.')
  const bytes = Buffer.from(digits, 'base64')
  if (bytes.length > MOST_INLINE_BYTES)
    throw invalidParam('base64', 'too_big', 'May have 256 KiB: send larger images to PUT /api/v3/uploads, and use the handle.')
  return bytes
}
