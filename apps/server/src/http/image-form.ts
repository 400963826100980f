import type { IncomingMessage } from 'node:http'
import { InlineImage } from '@pixelmill/engine/crops/inline-image'
import { ApiError } from '../contract/api-error.ts'
import { parseJsonBytes } from './read-body.ts'
import type { FormRead } from './read-form.ts'
import type { ImageForm } from './route.ts'

const MULTIPART = /^multipart\/form-data\s*;/i

export const isForm = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean => MULTIPART.test(headers['content-type'] ?? '')

/**
 * The JSON body that a form stands for: its files are the images, in the order in which they came.
 * @throws ApiError invalid_params where a field is repeated or is no JSON
 */
export function bodyOfForm({ field, texts, json }: ImageForm, { fields, files }: FormRead): object {
  const images = [...files.values()].map(({ chunks }) => new InlineImage('', Buffer.concat(chunks)))
  const sentTexts = [...texts, ...json].flatMap((name) =>
    (fields.get(name) ?? []).filter((text) => text.trim() !== '').map((text) => [name, text] as const),
  )
  const repeatedName = sentTexts.find(([name], index) => sentTexts.findIndex(([other]) => other === name) !== index)?.[0]
  if (repeatedName !== undefined)
    throw new ApiError('invalid_params', { issues: [{ path: [repeatedName], code: 'repeated', message: 'Must be sent once.' }] })
  const values = sentTexts.map(([name, text]) => [name, json.includes(name) ? parseJsonBytes(Buffer.from(text)) : text] as const)
  return { ...Object.fromEntries(values), ...(images.length > 0 && { [field]: images }) }
}
