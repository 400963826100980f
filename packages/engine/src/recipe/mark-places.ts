interface Size {
  readonly width: number
  readonly height: number
}

/** Positions of a mark as shares of the free space: 0 is left or top, 1 is right or bottom. */
export const places = {
  'top-left': [0, 0],
  top: [0.5, 0],
  'top-right': [1, 0],
  left: [0, 0.5],
  center: [0.5, 0.5],
  right: [1, 0.5],
  'bottom-left': [0, 1],
  bottom: [0.5, 1],
  'bottom-right': [1, 1],
} as const satisfies Readonly<Record<string, readonly [across: number, down: number]>>

export type PlaceName = keyof typeof places

export interface MarkPlace {
  readonly position: PlaceName
  /** Distance from the edges, as a share of the base's shorter side. */
  readonly margin: number
}

/** The top-left corner of a mark on its base, in pixels. */
export function markCorner(
  base: Size,
  mark: Size,
  { position, margin }: MarkPlace,
): { readonly left: number; readonly top: number } {
  const [across, down] = places[position]
  const edge = margin * Math.min(base.width, base.height)
  const along = (free: number, share: number) => {
    const inset = Math.min(edge, free / 2)
    return Math.round(inset + (free - 2 * inset) * share)
  }
  return { left: along(base.width - mark.width, across), top: along(base.height - mark.height, down) }
}
