import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { parseFields } from '@pixelmill/codecs/contract/parse'
import { serverBusy } from '@pixelmill/engine/rendering/pool'
import { z } from 'zod'
import { ApiError } from '../../contract/api-error.ts'
import type { Call, Upload } from '../../http/route.ts'
import { fetchImage } from '../fetch-image.ts'

const LONGEST_URL = 2_048

/** The field of a form that names an upload in place of the file that the form would have. */
export const uploadField = {
  upload: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'Must be the handle of an upload.')
    .optional()
    .describe('The handle of an upload (PUT /api/v3/uploads), in place of the file.'),
}

/** The field of a form, or of a JSON body in place of one, that names an address in place of the file. */
export const imageUrlField = {
  imageUrl: z
    .string()
    .max(LONGEST_URL)
    .regex(/^https?:\/\//i, 'Must be an address with http or https.')
    .optional()
    .describe('Address of the image, in place of the file: the server fetches it in at most 15 s, with up to 3 redirects.'),
}

const fields = z.object(uploadField)
const urlFields = z.object(imageUrlField)

/** Errors of requests that name an address. */
export const imageUrlErrors = ['source_unavailable'] as const

/** Errors of requests that name an upload. */
export const uploadFieldErrors = ['upload_not_found', 'upload_incomplete'] as const

type Sent = Pick<Call, 'form'>

/** The handle that a form has in place of a file. @throws ApiError invalid_params for both */
export function handleOf({ form }: Sent, field: string, isSent: boolean): string | undefined {
  const { upload } = parseFields(fields, form.fields)
  if (upload !== undefined && isSent) throw invalidParam('upload', 'custom', `Must be sent without ${field}.`)
  return upload
}

/**
 * The image of a form: its file, or the upload or the address that it names.
 * @throws ApiError missing_image_file, invalid_params, upload_not_found, upload_incomplete, source_unavailable, file_too_large,
 * server_busy
 */
export async function imageOf(call: Call, mostBytes: number): Promise<Upload> {
  const sentUpload = call.form.files.get('image')
  const handle = handleOf(call, 'image', sentUpload !== undefined)
  const url = imageUrlOf(call, sentUpload !== undefined || handle !== undefined)
  if (sentUpload) return sentUpload
  if (url !== undefined) return await imageAt(call, url, mostBytes)
  const { services, visitor } = call
  if (handle === undefined) throw new ApiError('missing_image_file')
  if (visitor.account === undefined) throw new Error('an image was admitted of no account')
  const { stored } = await services.handles.find(visitor.account, handle)
  const { heldUpload, refusedSignal } = holdMemory(call)
  heldUpload.add(Math.min(stored, mostBytes))
  refusedSignal.throwIfAborted()
  heldUpload.arrived()
  const bytes = await services.handles.read(visitor.account, handle, mostBytes)
  return { chunks: [bytes], bytes: bytes.length }
}

/** The address that a form has in place of an image. @throws ApiError invalid_params for both */
export function imageUrlOf({ form }: Sent, isSent: boolean): string | undefined {
  const { imageUrl } = parseFields(urlFields, form.fields)
  if (imageUrl !== undefined && isSent) throw invalidParam('imageUrl', 'custom', 'Must be sent without image and upload.')
  return imageUrl
}

/** Fetches the image at an address. @throws ApiError invalid_params, source_unavailable, file_too_large, server_busy */
export async function imageAt(call: Call, url: string, mostBytes: number): Promise<Upload> {
  const { services, signal } = call
  const { heldUpload, refusedSignal } = holdMemory(call)
  const chunks = await fetchImage(url, {
    outbound: services.outbound,
    isOn: services.config.URL_INPUT === 'on',
    mostBytes,
    signal: AbortSignal.any([signal, refusedSignal]),
    onBytes: (bytes) => heldUpload.add(bytes),
  })
  refusedSignal.throwIfAborted()
  heldUpload.arrived()
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0)
  if (bytes === 0) throw new ApiError('invalid_image_type')
  return { chunks, bytes }
}

/** What is read counts as an upload that comes in this request does, until its end. */
function holdMemory({ services, visitor, atEnd }: Call) {
  const refusal = new AbortController()
  const heldUpload = services.uploads.begin(visitor.account ?? '', () => refusal.abort(serverBusy()))
  atEnd(() => heldUpload[Symbol.dispose]())
  return { heldUpload, refusedSignal: refusal.signal }
}
