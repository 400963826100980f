import type { Codec } from '@pixelmill/codecs/codec'
import { hdrKind } from '@pixelmill/codecs/metadata/gain-maps'
import { hasManifest } from '@pixelmill/codecs/metadata/manifests'
import type { Encoded } from '../image/encode.ts'

/** A file, and the format that it has. */
type File = Pick<Encoded, 'bytes' | 'untouched'> & { readonly codec: Codec }

/**
 * What became of HDR and of a manifest, of those that a source has. A damaged file may have been answered unchanged, with its manifest.
 * @param keepsMap whether the result has the source's gain map; a file that was not encoded again may have it anyway
 */
export function featuresAfter(
  source: Omit<File, 'untouched'>,
  result: File,
  keepsMap = false,
): Pick<Encoded, 'hdr' | 'contentCredentials'> {
  const { untouched, bytes, codec } = result
  const isSigned = untouched && hasManifest(bytes, codec)
  const isHdr = keepsMap || (untouched && hdrKind(bytes, codec))
  return {
    ...(hdrKind(source.bytes, source.codec) && { hdr: isHdr ? 'kept' : 'dropped' }),
    // Its signature is over the bytes of the source.
    ...(!isSigned && hasManifest(source.bytes, source.codec) && { contentCredentials: 'removed' }),
  }
}
