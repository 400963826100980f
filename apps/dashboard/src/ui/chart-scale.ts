/** A glance takes in about so many grid lines. */
const LINES = 4

/** Round numbers from 0 to at least `most`, one for each grid line; whole numbers, since they are counts. */
export function ticksFor(most: number, unit = 1): readonly number[] {
  const step = unit * roundUp(Math.max(1, most / unit / LINES))
  const count = Math.max(1, Math.ceil(most / step))
  return Array.from({ length: count + 1 }, (_, line) => line * step)
}

/** Rounds up to the next of 1, 2, 5, 10, 20, 50, … */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((digit) => digit * power >= value) ?? 10) * power
}

/** The interval of labelled bars, so that labels do not touch. */
export function labelEvery(bars: number, width: number, labelWidth: number): number {
  return [1, 2, 5, 10].find((every) => (width / bars) * every >= labelWidth) ?? bars
}
