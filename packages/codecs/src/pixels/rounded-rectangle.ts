import type { Size } from './size.ts'

/**
 * How much of each pixel a rectangle with round corners covers, 0 to 1: by the distance of the pixel's centre from the edge, which is
 * exact along straight edges.
 * @param inset of all edges from those of the picture, by which the radius becomes smaller too
 * @param radius in pixels; at most half of the shorter side
 */
export function roundedRectangle({ width, height }: Size, radius: number, inset = 0): (x: number, y: number) => number {
  const halfWidth = width / 2 - inset
  const halfHeight = height / 2 - inset
  if (halfWidth <= 0 || halfHeight <= 0) return () => 0
  const outerRadius = Math.min(radius, width / 2, height / 2)
  const corner = Math.max(0, outerRadius - inset)
  return (x, y) => {
    const across = Math.abs(x + 0.5 - width / 2) - halfWidth + corner
    const down = Math.abs(y + 0.5 - height / 2) - halfHeight + corner
    const distance = Math.hypot(Math.max(across, 0), Math.max(down, 0)) + Math.min(Math.max(across, down), 0) - corner
    return Math.max(0, Math.min(1, 0.5 - distance))
  }
}
