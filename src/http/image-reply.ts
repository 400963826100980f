import { warnings as allWarnings } from '../contract/warnings.ts'
import type { Rendered } from '../rendering/job.ts'
import type { Reply } from './route.ts'

const warningTexts = Object.entries(allWarnings)
  .map(([name, text]) => `${name}: ${text}`)
  .join(' ')

/** The headers that image-reply sends, for the documentation. */
export const imageHeaders = {
  'Content-Disposition': 'Attachment with a file name of the form converted.<ext>.',
  'X-Input-Size': 'Original size in bytes.',
  'X-Output-Size': 'Converted size in bytes.',
  'X-Saved-Percent': 'Percentage of space saved, with one decimal; negative when the output grew.',
  'X-Image-Width': 'Width of the answer in pixels.',
  'X-Image-Height': 'Height of the answer in pixels.',
  'X-Image-Warnings': `Only where not all of the file is in the answer: identifiers, separated by commas. ${warningTexts}`,
  'X-Format-Fallback': 'Only where the format could not be kept, since nothing here can write it: heic->jpeg or heic->png.',
} as const

/** The response of every image operation: the bytes, and what they saved. */
export function imageReply(
  { bytes, codec, width, height, warnings }: Rendered,
  stem: string,
  inputBytes: number,
  fallback: string | undefined,
): Reply {
  const saved = 100 * (1 - bytes.length / inputBytes)
  return {
    headers: {
      'content-type': codec.mime,
      'content-disposition': `attachment; filename="${stem}.${codec.extension}"`,
      // What is sent is somebody's upload: a browser that opens it here must run nothing.
      'content-security-policy': "default-src 'none'; sandbox",
      'x-input-size': String(inputBytes),
      'x-output-size': String(bytes.length),
      // Adding 0 turns -0 into 0.
      'x-saved-percent': String((Math.round(saved * 10) + 0) / 10),
      'x-image-width': String(width),
      'x-image-height': String(height),
      ...(warnings.length > 0 && { 'x-image-warnings': warnings.join(', ') }),
      ...(fallback !== undefined && { 'x-format-fallback': fallback }),
    },
    body: bytes,
  }
}
