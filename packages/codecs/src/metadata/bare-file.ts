import type { Codec } from '../codec.ts'
import { withoutMapItems } from '../hdr/write-isobmff.ts'
import type { Attachments } from './attachments.ts'
import { densityOf } from './density.ts'
import { codedHdr, hasGainMap } from './gain-maps.ts'

/** A source's own file without its metadata, whose pixels are as they came. */
export interface BareFile {
  readonly bytes: Buffer
  /** Bytes that it has already, and that a file of the same pixels that is written anew gets only afterwards. */
  readonly besideBytes: number
  /** Its pixels are coded in HDR, and are to stay so. */
  readonly isHdr: boolean
  /** Bytes of the density that it names. */
  readonly densityBytes: number
}

export function bareFileOf(source: Buffer, codec: Codec, hdr: 'keep' | 'drop', attachments: Attachments | undefined): BareFile {
  const withoutMetadata = codec.strip?.(source) ?? source
  const bytes = hdr === 'drop' ? withoutMapItems(withoutMetadata, codec) : withoutMetadata
  // A JPEG's map is behind it, and stripped.
  const mapBytes = attachments?.gainMap && hasGainMap(bytes, codec) ? attachments.gainMap.upright.length : 0
  const ofDensity = codec.density?.bytes ?? 0
  const isHdr = hdr === 'keep' && codedHdr(bytes, codec) !== undefined
  return {
    bytes,
    besideBytes: mapBytes + (attachments?.density ? ofDensity : 0),
    isHdr,
    densityBytes: isHdr && densityOf(bytes, codec) ? ofDensity : 0,
  }
}
