import type { Bitmap } from '@pixelmill/codecs/reader'
import { openWorkspace } from '@pixelmill/kernels/memory'
import { type Area, type PlaneName, planeRows } from '@pixelmill/kernels/planes'
import { collectRows } from '@pixelmill/kernels/rows'

/** Samples of one channel, rows from the top; 0–255 is the visible range, whatever the depth of the file. */
export type Plane = Float32Array

/** Part of a picture, as planes of floats. */
export interface Tile {
  readonly width: number
  readonly height: number
  /**
   * One plane for grey, else one of brightness and two of colour. The transform is orthonormal, so noise is as strong in each
   * plane as in red, green and blue, and adding to the first adds equally to all three.
   */
  readonly planes: readonly [Plane, ...Plane[]]
  readonly alpha: Plane | undefined
}

/** Divides the first of three planes to give brightness of 0–255. */
export const LIGHT_SCALE = Math.sqrt(3)

/** Reads an area of a picture; of a grey one only the first channel. */
export function readTile(picture: Bitmap, grey: boolean, area: Area): Tile {
  const planeOf = (name: PlaneName): Plane => {
    using workspace = openWorkspace()
    return collectRows(workspace, planeRows(workspace, picture, area, name))
  }
  const planes = grey ? ([planeOf('grey')] as const) : ([planeOf('light'), planeOf('redBlue'), planeOf('green')] as const)
  return { width: area.width, height: area.height, planes, alpha: picture.channels === 4 ? planeOf('opacity') : undefined }
}
