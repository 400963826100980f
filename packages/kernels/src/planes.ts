import { rowsBy } from './filters.ts'
import type { Workspace } from './memory.ts'
import type { Pixels } from './resample.ts'
import { type PlaneRows, rowBytes } from './rows.ts'

const R2 = Math.SQRT1_2
const R3 = 1 / Math.sqrt(3)
const R6 = 1 / Math.sqrt(6)

/** Red, green and blue of each plane: brightness and two colours, whose transform is orthonormal; or the samples of a grey picture. */
const mixtures = {
  light: [R3, R3, R3],
  redBlue: [R2, 0, -R2],
  green: [R6, -2 * R6, R6],
  grey: [1, 0, 0],
} as const

export type PlaneName = keyof typeof mixtures | 'opacity'

/** Kernels read and write up to a vector and a half beyond a row of pixels. */
const BEYOND = 64
const RGBA = 4
/** What 16-bit samples are divided by. */
const DEEP_RANGE = 257

const bytesOf = ({ buffer, byteOffset, byteLength }: Pixels['data']): Uint8Array => new Uint8Array(buffer, byteOffset, byteLength)

/** A part of a picture, in pixels. */
export interface Area {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/**
 * Rows of a plane of a picture, where 0–255 is the visible range, whatever the depth of the samples.
 * @param picture RGB or RGBA; has opacity only if it is RGBA
 */
export function planeRows(workspace: Workspace, picture: Pixels, area: Area, name: PlaneName): PlaneRows {
  const { channels, data } = picture
  const { left, top, width, height } = area
  const { kernels } = workspace
  const isDeep = data.BYTES_PER_ELEMENT === 2
  const pixelBytes = channels * data.BYTES_PER_ELEMENT
  const source = bytesOf(data)
  const length = width * pixelBytes
  const row = workspace.allocate(length + BEYOND)
  return rowsBy({ width, height }, (y, address) => {
    const from = ((top + y) * picture.width + left) * pixelBytes
    workspace.bytes(row, length).set(source.subarray(from, from + length))
    if (name === 'opacity') (isDeep ? kernels.opacity16 : kernels.opacity8)(row, width, address)
    else {
      const [red, green, blue] = mixtures[name]
      const range = isDeep ? DEEP_RANGE : 1
      const write = isDeep ? kernels.plane16 : kernels.plane8
      write(row, width, channels, red / range, green / range, blue / range, address)
    }
  })
}

/** The planes of a picture: brightness and colours, or only grey; and opacity if it is RGBA. */
export interface Planes {
  readonly colours: readonly [PlaneRows] | readonly [PlaneRows, PlaneRows, PlaneRows]
  readonly opacity: PlaneRows | undefined
}

/** Writes the planes to a picture, rounded and clamped to the range of its depth. What is fully transparent becomes black. */
export function writePlanes(workspace: Workspace, { colours, opacity }: Planes, { width, height, channels, data }: Pixels): void {
  const { kernels } = workspace
  const [light, redBlue, green] = colours.map((rows) => ({ rows, address: workspace.allocate(rowBytes(width)) }))
  const alpha = channels === RGBA && opacity ? { rows: opacity, address: workspace.allocate(rowBytes(width)) } : undefined
  const length = width * channels * data.BYTES_PER_ELEMENT
  const pixels = workspace.allocate(length + BEYOND)
  const target = bytesOf(data)
  const addressOf = (plane: { readonly address: number } | undefined): number => plane?.address ?? 0
  const write = (): void => {
    const others = [addressOf(alpha), width, channels, pixels] as const
    if (data.BYTES_PER_ELEMENT === 2) kernels.pixels16(addressOf(light), addressOf(redBlue), addressOf(green), ...others)
    else if (redBlue) kernels.pixels8(addressOf(light), addressOf(redBlue), addressOf(green), ...others)
    else kernels.greys8(addressOf(light), ...others)
  }
  for (let y = 0; y < height; y++) {
    for (const plane of [light, redBlue, green, alpha]) plane?.rows.writeNext(plane.address)
    write()
    target.set(workspace.bytes(pixels, length), y * length)
  }
}
