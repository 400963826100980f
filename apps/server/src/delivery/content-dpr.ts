import type { Size } from '@pixelmill/codecs/pixels/size'

/** The box of a page, and by how much its pixels are to be more. */
export interface Density {
  readonly dpr: number
  readonly width: number | undefined
  readonly height: number | undefined
  /** Whether the picture may be larger than the box. */
  readonly isOutside: boolean
}

/** The density that an image has in its box: less than asked for where the original has too few pixels. */
export function contentDpr({ dpr, width, height, isOutside }: Density, image: Size): string {
  const across = width === undefined ? [] : [image.width / width]
  const down = height === undefined ? [] : [image.height / height]
  const shares = across.concat(down)
  const share = isOutside ? Math.min(...shares) : Math.max(...shares)
  // An original that is smaller than the box is shown in its own size.
  const density = Math.min(dpr, Math.max(share, Math.min(1, dpr)))
  return String(Math.round(density * 100) / 100)
}
