import type { Size } from '../result-size.ts'
import type { Raster } from '../ssim.ts'
import { clearHidden } from './already-cut-out.ts'
import { applyMaps } from './apply-maps.ts'
import { matteMaps } from './matte-maps.ts'
import { insideSize, shrinkTo } from './shrink.ts'

/** How opaque each pixel of a picture ought to be: a Float32Array says it in 0–1, a Uint8Array in 0–255. */
export interface Matte extends Size {
  readonly data: Float32Array | Uint8Array
}

/** A larger matte is shrunk to this longest side: at full resolution the picture itself knows its outline better. */
const MOST_SIDE = 1024

/**
 * Makes a picture transparent, in place, as a matte of lower resolution says: the matte decides where the subject is, the
 * picture's own edges and colours where exactly it ends, and what the background mixed into the outline is taken out.
 * Colour is 0 where nothing is left to see; alpha that the picture has already stays at most as it was.
 * Beside the picture it takes some 250 bytes for each pixel of the matte.
 * @param picture RGBA in rows, of any size
 * @param matte of the whole picture; its sides may be in another ratio, as those of models are, and be larger
 */
export function applyMatte(picture: Raster, matte: Matte): void {
  const inside = insideSize(matte, MOST_SIDE)
  const size = { width: Math.min(inside.width, picture.width), height: Math.min(inside.height, picture.height) }
  const opacity = shrinkTo({ ...matte, data: asBytes(matte.data), channels: 1 }, size)
  applyMaps(picture, matteMaps(shrinkTo(picture, size), opacity.data))
  clearHidden(picture)
}

const asBytes = (data: Float32Array | Uint8Array): Uint8Array =>
  data instanceof Uint8Array ? data : Uint8Array.from(data, (opacity) => Math.round(255 * Math.max(0, Math.min(1, opacity))))
