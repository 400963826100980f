import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { parseFields } from '@pixelmill/codecs/contract/parse'
import { serverBusy } from '@pixelmill/engine/rendering/pool'
import { z } from 'zod'
import { ApiError } from '../../contract/api-error.ts'
import type { Call, Upload } from '../../http/route.ts'

/** The field of a form that names an upload in place of the file that the form would have. */
export const uploadField = {
  upload: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'Must be the handle of an upload.')
    .optional()
    .describe('The handle of an upload (PUT /api/v3/uploads), in place of the file.'),
}

const fields = z.object(uploadField)

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
 * The image of a form: its file, or the upload that it names.
 * @throws ApiError missing_image_file, invalid_params, upload_not_found, upload_incomplete, file_too_large, server_busy
 */
export async function imageOf(call: Call, mostBytes: number): Promise<Upload> {
  const sentUpload = call.form.files.get('image')
  const handle = handleOf(call, 'image', sentUpload !== undefined)
  if (sentUpload) return sentUpload
  const { services, visitor, atEnd } = call
  if (handle === undefined) throw new ApiError('missing_image_file')
  if (visitor.account === undefined) throw new Error('an image was admitted of no account')
  const { stored } = await services.handles.find(visitor.account, handle)
  // It counts as an upload that comes in this request does.
  const refusal = new AbortController()
  const heldUpload = services.uploads.begin(visitor.account, () => refusal.abort(serverBusy()))
  atEnd(() => heldUpload[Symbol.dispose]())
  heldUpload.add(Math.min(stored, mostBytes))
  refusal.signal.throwIfAborted()
  heldUpload.arrived()
  const bytes = await services.handles.read(visitor.account, handle, mostBytes)
  return { chunks: [bytes], bytes: bytes.length }
}
