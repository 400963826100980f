import { avif } from './avif.ts'
import { bmp } from './bmp/index.ts'
import type { Codec } from './codec.ts'
import { gif } from './gif/index.ts'
import { heic } from './heic/index.ts'
import { ico } from './ico/index.ts'
import { HEAD_BYTES } from './image-formats.ts'
import { jpeg } from './jpeg.ts'
import { jxl } from './jxl/index.ts'
import { png } from './png.ts'
import { qoi } from './qoi/index.ts'
import { tiff } from './tiff/index.ts'
import { webp } from './webp.ts'

/** Every format the service knows. To add one, write its file and add its row. */
export const codecs = { webp, avif, jpeg, png, gif, tiff, heic, bmp, jxl, qoi, ico } as const satisfies {
  [Name in Codec['name']]: Codec
}

/** Most uploads are JPEG or PNG: they are compared first. No file has the signatures of two formats. */
const commonFirst = [jpeg, png, ...Object.values(codecs)]

/** The format of a file by its first bytes; its name and declared type do not count. */
export const recognise = (bytes: Buffer): Codec | undefined => {
  const head = bytes.subarray(0, HEAD_BYTES)
  return commonFirst.find((codec) => codec.matches(head))
}

/**
 * The format of an upload in chunks, the first of which may be shorter than the signature; undefined when the file is
 * not accepted: no image, or HEIC that the operator has switched off.
 */
export function acceptedFormat(chunks: readonly Buffer[], heic: 'on' | 'off'): Codec | undefined {
  const [first = Buffer.alloc(0)] = chunks
  const codec = recognise(first.length >= HEAD_BYTES ? first : Buffer.concat(chunks).subarray(0, HEAD_BYTES))
  return codec === codecs.heic && heic === 'off' ? undefined : codec
}
