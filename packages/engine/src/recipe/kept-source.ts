import { iccName } from '@pixelmill/codecs/icc-name'
import type { Attachments } from '@pixelmill/codecs/metadata/attachments'
import { bareFileOf } from '@pixelmill/codecs/metadata/bare-file'
import { readBlocks } from '@pixelmill/codecs/metadata/read-blocks'
import type { Encoded } from '../image/encode.ts'
import type { Picture } from './picture.ts'
import type { PlannedOutput } from './plan.ts'

/** The source's own file, without its metadata. */
export interface SourceFile {
  readonly file: Encoded
  /** Bytes that it has already, and that another file of the same pixels gets only afterwards. */
  readonly besideBytes: number
}

/**
 * The file that is sent in place of a larger one, where no step changes a pixel and nothing else would: no orientation is applied, no
 * colour converted, no frame left out, no damage mended. Undefined where something would.
 */
export function sourceFileOf(
  picture: Picture,
  { asked, mayBeSource }: PlannedOutput,
  attachments: Attachments | undefined,
): SourceFile | undefined {
  const { source, header, warnings, frames } = picture
  const { codec, width, height, orientation = 1, completed, embedded } = header
  const isWhole = warnings.length === 0 && !completed && !embedded && frames === header.frames
  if (!mayBeSource || !isWhole || orientation !== 1 || !staysInItsColours(picture, asked.icc)) return undefined
  const own = bareFileOf(source, codec, asked.hdr, attachments)
  if (own.isHdr) return undefined
  return { file: { bytes: own.bytes, codec, width, height, untouched: true }, besideBytes: own.besideBytes }
}

function staysInItsColours({ source, header }: Picture, icc: 'srgb' | 'keep'): boolean {
  if (header.cmyk || header.space || header.limited) return false
  if (!header.profile || icc === 'keep') return true
  const profile = readBlocks(source, header.codec).icc
  return profile !== undefined && iccName(profile)?.startsWith('sRGB') === true
}

/** The smaller one; of two that are as large, the one that lost nothing. */
export function smallerFile(file: Encoded, { file: own, besideBytes }: SourceFile): Encoded {
  // A program encodes it outside of the renderer, and the sizes are compared there.
  if (file.finish) return { ...file, finish: { ...file.finish, otherwise: own.bytes } }
  return own.bytes.length - besideBytes <= file.bytes.length ? own : file
}
