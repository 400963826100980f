import type { Codec } from '../codec.ts'
import type { Box } from '../isobmff/boxes.ts'
import { itemsOfType, propertiesOfAll } from '../isobmff/items.ts'
import { segmentsIn } from './containers/jpeg.ts'
import { unlessDamaged } from './damage.ts'

/** How a file has more light than a display of usual range shows; undefined where it does not. */
export type HdrKind = 'gainMap' | 'pq' | 'hlg'

/** H.273, table 3: the curves of perceptual quantisation and hybrid log-gamma. */
const curves: Readonly<Record<number, HdrKind>> = { 16: 'pq', 18: 'hlg' }

export function hdrKind(file: Buffer, codec: Codec): HdrKind | undefined {
  return hasGainMap(file, codec) ? 'gainMap' : codedHdr(file, codec)
}

/** The curve of a picture whose pixels themselves are coded in HDR. */
export const codedHdr = (file: Buffer, codec: Codec): HdrKind | undefined =>
  curves[unlessDamaged(() => codec.transferOf?.(file), undefined) ?? 0]

/** Whether a file has an HDR gain map: by ISO 21496-1, by Adobe's and Google's XMP, or by Apple. */
export const hasGainMap = (file: Buffer, { gainMap }: Pick<Codec, 'gainMap'>): boolean =>
  unlessDamaged(() => gainMap?.isIn(file) ?? false, false)

const APP1 = 0xe1
const APP2 = 0xe2
/** ISO 21496-1, annex C: the mark of a segment with a gain map's values, or with the version alone. */
export const ISO_MARK = 'urn:iso:std:iso:ts:21496:-1'
/** Adobe's and Google's namespace of a gain map's values ("Gain Map", version 1.0; Android, "Ultra HDR image format"). */
export const HDRGM = 'http://ns.adobe.com/hdr-gain-map/1.0/'
/** CIPA DC-007: a segment that tells where further pictures are, of which Apple's says in XMP that it is a gain map. */
const MULTI_PICTURE = 'MPF\0'
const APPLE = Buffer.from('HDRGainMapVersion', 'latin1')

export function isMapInJpeg(file: Buffer): boolean {
  let hasMore = false
  for (const { marker, body } of segmentsIn(file)) {
    if (marker === APP1 && body.includes(HDRGM)) return true
    if (marker !== APP2) continue
    if (body.toString('latin1', 0, ISO_MARK.length) === ISO_MARK) return true
    if (body.toString('latin1', 0, MULTI_PICTURE.length) === MULTI_PICTURE) hasMore = true
  }
  return hasMore && (file.includes(APPLE) || file.includes(HDRGM))
}

const APPLE_AUXILIARY = 'urn:com:apple:photo:2020:aux:hdrgainmap'

/** Whether a property marks an auxiliary picture as Apple's gain map. */
export const isAppleMap = ({ type, body }: Box): boolean => type === 'auxC' && body.includes(APPLE_AUXILIARY)

/** A `tmap` item (ISO 21496-1, annex C; ISO/IEC 23008-12, amendment 1), or Apple's auxiliary picture. */
export const isMapInIsobmff = (file: Buffer): boolean =>
  itemsOfType(file, 'tmap').length > 0 || propertiesOfAll(file).some(isAppleMap)
