import type { Strip } from './strip.ts'

/** Red, green and blue, each 0 to 1. */
type Colour = readonly [red: number, green: number, blue: number]

const mostOf = ({ data }: Pick<Strip, 'data'>): number => (data.BYTES_PER_ELEMENT === 2 ? 65_535 : 255)

const clamp = (level: number): number => Math.max(0, Math.min(1, level))

/** Replaces each level of red, green and blue, 0 to 1, in place. */
export function mapLevels(strip: Strip, edit: (level: number) => number): void {
  const { data, channels } = strip
  const most = mostOf(strip)
  const table = Float64Array.from({ length: most + 1 }, (_, level) => Math.round(clamp(edit(level / most)) * most))
  for (let at = 0; at < data.length; at += channels)
    for (let channel = 0; channel < 3; channel++) data[at + channel] = table[data[at + channel] as number] as number
}

/** Replaces the colour of each pixel, in place. */
export function mapColours(strip: Strip, edit: (red: number, green: number, blue: number) => Colour): void {
  const { data, channels } = strip
  const most = mostOf(strip)
  for (let at = 0; at < data.length; at += channels) {
    const colour = edit((data[at] as number) / most, (data[at + 1] as number) / most, (data[at + 2] as number) / most)
    for (let channel = 0; channel < 3; channel++) data[at + channel] = Math.round(clamp(colour[channel] as number) * most)
  }
}

/** Multiplies the opacity of each pixel, in place; a strip without opacity stays as it is. */
export function mapOpacity({ data, channels }: Strip, factor: number): void {
  if (channels === 4) for (let at = 3; at < data.length; at += 4) data[at] = Math.round((data[at] as number) * factor)
}
