/** About as many lines across the chart as can be read at a glance. */
const LINES = 4

/** Round numbers of a unit from 0 up to at least `most`, one for each line; whole ones, since what is counted is. */
export function ticksFor(most: number, unit = 1): readonly number[] {
  const step = unit * roundUp(Math.max(1, most / unit / LINES))
  const count = Math.max(1, Math.ceil(most / step))
  return Array.from({ length: count + 1 }, (_, line) => line * step)
}

/** To the next of 1, 2, 5, 10, 20, 50, … */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((digit) => digit * power >= value) ?? 10) * power
}

/** Every how many bars one has its label below, so that none touches the next. */
export function labelEvery(bars: number, width: number, labelWidth: number): number {
  return [1, 2, 5, 10].find((every) => (width / bars) * every >= labelWidth) ?? bars
}
