import type { IncomingMessage } from 'node:http'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { ApiError } from '../contract/api-error.ts'
import { limits, MiB } from '../contract/limits.ts'

/** With the default of 64 KiB the parser would pause and wake the socket at every chunk: a fifth of its CPU. */
const STREAM_BYTES = MiB

const MULTIPART = /^multipart\/form-data\s*;/i

export type FormParser = InstanceType<typeof Busboy>

/**
 * A parser for a request's form, whose files may have `fileBytes` each.
 * @throws ApiError missing_form_data
 */
export function openParser({ headers }: IncomingMessage, fileBytes: number): FormParser {
  if (!MULTIPART.test(headers['content-type'] ?? '')) throw new ApiError('missing_form_data')
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      highWaterMark: STREAM_BYTES,
      fileHwm: STREAM_BYTES,
      limits: {
        fileSize: fileBytes,
        files: limits.formFields,
        fields: limits.formFields,
        parts: 2 * limits.formFields,
        fieldSize: limits.fieldBytes,
      },
    })
  } catch (cause) {
    throw new ApiError('missing_form_data', { message: 'The Content-Type has no boundary.', cause })
  }
}
