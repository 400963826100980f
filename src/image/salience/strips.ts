import type { Pixels } from './gaussian.ts'

/** The pixels of the strips along the four edges, each that share of the side deep, and two pixels at least where there are two. */
export function strips(width: number, height: number, share: number): readonly Pixels[] {
  const [across, down] = [width, height].map((side) => Math.min(side, Math.max(2, Math.round(share * side)))) as [number, number]
  return [
    rectangle(width, 0, width, 0, down),
    rectangle(width, 0, width, height - down, height),
    rectangle(width, 0, across, 0, height),
    rectangle(width, width - across, width, 0, height),
  ]
}

function rectangle(width: number, left: number, right: number, top: number, bottom: number): Pixels {
  const across = right - left
  return Int32Array.from(
    { length: across * (bottom - top) },
    (_, at) => (top + Math.floor(at / across)) * width + left + (at % across),
  )
}
