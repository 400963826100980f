import { recognise } from '@pixelmill/codecs'
import { component } from '@pixelmill/codecs/contract/component'
import type { WrittenImage } from '@pixelmill/engine/tasks/task'
import { z } from 'zod'
import { ApiError } from '../contract/api-error.ts'
import type { Call, Faults } from '../http/route.ts'
import { usedCalls } from '../metering/read-usage.ts'

/** Names of Tinify's errors, by our status; its clients tell them apart by the status alone. */
const NAMES: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  402: 'TooManyRequests',
  404: 'NotFound',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
}

/** The errors of these endpoints. */
export const faults: Faults = {
  // Its clients ask for the count by a request without an image.
  headers: countOf,
  schema: z
    .object({
      error: z.string().describe("Tinify's name of the error, such as BadRequest."),
      message: z.string().describe('One sentence for users.'),
      statusMessage: z.string().describe('The error identifier of Pixelmill.'),
    })
    .meta(component('TinifyError')),
  body: ({ code, status, message }) => ({
    error:
      code === 'missing_image_file' ? 'InputMissing' : (NAMES[status] ?? (status < 500 ? 'BadRequest' : 'InternalServerError')),
    message,
    statusMessage: code,
  }),
}

/** The caller's account, which admission knows. */
export function accountOf({ visitor: { account } }: Pick<Call, 'visitor'>): string {
  if (account === undefined) throw new Error('an image was admitted of no account')
  return account
}

/** With the call of this request, which is reserved. */
export const countHeader = ({ services, visitor }: Pick<Call, 'services' | 'visitor'>): Promise<Record<string, string>> =>
  countOf(services, accountOf({ visitor }))

async function countOf({ database }: Call['services'], account: string): Promise<Record<string, string>> {
  return { 'compression-count': String(await usedCalls(database.pool, account)) }
}

export const imageHeaders = ({
  bytes,
  codec,
  width,
  height,
}: Pick<WrittenImage, 'bytes' | 'codec' | 'width' | 'height'>): Record<string, string> => ({
  'content-type': codec.mime,
  'content-length': String(bytes.length),
  'image-width': String(width),
  'image-height': String(height),
})

/** The two uploads of an address `/output/{original}.{result}`. */
export function uploadsOf({ path: { output = '' } }: Pick<Call, 'path'>): { readonly original: string; readonly result: string } {
  const [original = '', result = ''] = output.split('.')
  return { original, result }
}

/** The type by the first bytes. @throws ApiError invalid_image_type */
export function typeOf(bytes: Buffer): string {
  const codec = recognise(bytes)
  if (!codec) throw new ApiError('invalid_image_type')
  return codec.mime
}
