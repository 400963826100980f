import type { Rectangle } from './gif-file.ts'

/** The smallest rectangle around the pixels that are marked; undefined where none is. */
export function boundsOf(width: number, height: number, isMarked: (at: number) => boolean): Rectangle | undefined {
  let [left, right, top, bottom] = [width, -1, height, -1]
  for (let y = 0; y < height; y++) {
    const row = y * width
    let x = 0
    while (x < width && !isMarked(row + x)) x++
    if (x === width) continue
    let last = width - 1
    while (!isMarked(row + last)) last--
    if (top === height) top = y
    bottom = y
    left = Math.min(left, x)
    right = Math.max(right, last)
  }
  return bottom < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 }
}

/** The smallest rectangle around both. */
export function union(a: Rectangle | undefined, b: Rectangle | undefined): Rectangle | undefined {
  if (!a || !b) return a ?? b
  const [left, top] = [Math.min(a.left, b.left), Math.min(a.top, b.top)]
  const right = Math.max(a.left + a.width, b.left + b.width)
  return { left, top, width: right - left, height: Math.max(a.top + a.height, b.top + b.height) - top }
}
