import { at } from './matte-maps.ts'

/** Pixels of the small picture to either side of the outline within which opacity is worked out; beyond, it is all or nothing. */
export const BAND = 6
/** Up to here the colours alone decide; from here to the end of the band they decide less and less. */
const FREE = 2
/** What of the guided filter's opacity is stretched to 0–1: its ends are never quite reached. */
const [LEAST, MOST] = [0.08, 0.92]
/**
 * What speaks against unmixing subject and background, beside their squared distance in RGB: noise, and how much the colours
 * of each vary. Measured on composites whose alpha is known: without the second, textures become half transparent.
 */
const [NOISE, SPREAD] = [300, 20]
/** Of a pixel with less subject than this too little is seen to tell its colour. */
const FAINT = 0.3

/**
 * Sets the opacity and the own colour of one pixel near the outline.
 * @param pixel where its red begins in `data`, RGBA
 * @param here its numbers: see matte-maps.ts
 */
export function unmix(data: Uint8Array, pixel: number, here: Float32Array): void {
  const opacity = bounded(opacityOf(data, pixel, here), here[at.distance] as number)
  const alpha = Math.round(opacity * (data[pixel + 3] as number))
  data[pixel + 3] = alpha
  const [subject, background] = [here[at.subject + 3] as number, here[at.background + 3] as number]
  for (let channel = 0; channel < 3; channel++) {
    const mixed = data[pixel + channel] as number
    if (alpha === 0) data[pixel + channel] = 0
    else if (opacity < FAINT && subject > NONE) data[pixel + channel] = (here[at.subject + channel] as number) / subject
    else if (opacity < 1 && background > NONE) {
      const behind = (here[at.background + channel] as number) / background
      data[pixel + channel] = Math.max(0, Math.min(255, Math.round((mixed - (1 - opacity) * behind) / opacity)))
    }
  }
}

/** With less than this share of the pixels nearby, subject or background have no colour to speak of. */
const NONE = 1e-3

/** How far a colour is on the way from background to subject; where the two are alike or vary, as the guided filter has it. */
function opacityOf(data: Uint8Array, pixel: number, here: Float32Array): number {
  const [subject, background] = [here[at.subject + 3] as number, here[at.background + 3] as number]
  let [guided, along, squared] = [here[at.model + 3] as number, 0, 0]
  for (let channel = 0; channel < 3; channel++) {
    const colour = data[pixel + channel] as number
    guided += (here[at.model + channel] as number) * colour
    const behind = (here[at.background + channel] as number) / background
    const way = (here[at.subject + channel] as number) / subject - behind
    along += (colour - behind) * way
    squared += way * way
  }
  const stretched = unit((guided - LEAST) / (MOST - LEAST))
  if (subject <= NONE || background <= NONE || squared === 0) return stretched
  const spread = varianceOf(here, at.subject) + varianceOf(here, at.background)
  const trust = squared / (squared + NOISE + SPREAD * spread)
  return trust * unit(along / squared) + (1 - trust) * stretched
}

/** How much the colours nearby vary, in squared units of RGB: of one side, whose numbers begin at `from`. */
function varianceOf(here: Float32Array, from: number): number {
  const amount = here[from + 3] as number
  let variance = (here[from + 4] as number) / amount
  for (let channel = 0; channel < 3; channel++) variance -= ((here[from + channel] as number) / amount) ** 2
  return Math.max(0, variance)
}

const unit = (value: number): number => Math.max(0, Math.min(1, value))

/** The deeper inside, the more opaque at least; the farther outside, the less opaque at most: without a seam at the band's ends. */
function bounded(opacity: number, distance: number): number {
  const depth = Math.min(1, (Math.abs(distance) - FREE) / (BAND - FREE))
  if (depth <= 0) return opacity
  return distance > 0 ? Math.max(opacity, depth) : Math.min(opacity, 1 - depth)
}
