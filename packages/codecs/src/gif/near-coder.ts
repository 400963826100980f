import type { Choices, FrameCoder } from './frame-coder.ts'
import { TRANSPARENT } from './gif-file.ts'
import { type Dictionary, dictionary, encodeLzw, type Matcher } from './lzw-encode.ts'
import { BLOCK, colourDistance, type Neighbours, neighboursOf, tolerances } from './tolerance.ts'

/** The `patience` of encodeLzw that was best for most files. */
const PATIENCE = 1.2
/** Steps of `shows` between no difference and the largest allowed. */
const STEPS = 254

/** @param tolerance grey levels by which a pixel may differ from the source; more in blocks with high variance */
export function nearCoder(tolerance: number): FrameCoder {
  const strings = dictionary()
  const neighboursByTable = new Map<readonly number[], Neighbours>()
  // Cached, because most frames use the global palette, whose distances take 5 ms.
  function neighboursIn(colours: readonly number[]): Neighbours {
    const neighbours = neighboursByTable.get(colours) ?? neighboursOf(colours)
    neighboursByTable.set(colours, neighbours)
    return neighbours
  }
  return (canvas, picture, across) => {
    const limits = tolerances(canvas, across, tolerance * tolerance)
    const columns = Math.ceil(across / BLOCK)
    const limitAt = (at: number) => {
      // Bitwise, since these are divisions of whole numbers.
      const row = (at / across) | 0
      return limits[((row / BLOCK) | 0) * columns + (((at - row * across) / BLOCK) | 0)] as number
    }
    return {
      shows(at) {
        const colour = canvas[at] ?? 0
        const there = picture[at] ?? 0
        if (colour === there) return 1
        if (colour === TRANSPARENT || there === TRANSPARENT) return 0
        const share = colourDistance(colour, there) / limitAt(at)
        return share > 1 ? 0 : 1 + Math.round(share * STEPS)
      },
      code(choices, colours, area) {
        const tolerances = new Float32Array(choices.own.length)
        for (let row = 0, to = 0; row < area.height; row++) {
          const start = (area.top + row) * across + area.left
          for (let at = start; at < start + area.width; at++, to++) tolerances[to] = limitAt(at)
        }
        const matcher = nearMatcher(choices, neighboursIn(colours), tolerances, strings)
        return encodeLzw(choices.own.length, Math.log2(choices.indices), PATIENCE, strings, matcher)
      },
    }
  }
}

/** Strings visited for one code: four times as many save nothing, a fifth costs 1 % of the bytes. */
const MAX_VISITS = 500
/** Preference for transparent pixels, which form long repeating strings. */
const BONUS = 0.4
const FREE_STEPS = 255

/**
 * Finds the longest string whose colours are within the tolerance, and of equal lengths the nearest.
 * @param tolerance by pixel: the largest squared distance
 */
function nearMatcher(choices: Choices, near: Neighbours, tolerance: Float32Array, strings: Dictionary): Matcher {
  const { own, free, transparent, indices } = choices
  const { distance, sorted, colours } = near
  const { newest, older, symbol } = strings
  const pixels = own.length
  const codes = new Uint16Array(8192)
  const places = new Int32Array(8192)
  const losses = new Float64Array(8192)
  let waiting = 0
  function wait(code: number, place: number, loss: number): void {
    codes[waiting] = code
    places[waiting] = place
    losses[waiting++] = loss
  }
  function begin(at: number): void {
    waiting = 0
    const colour = own[at] ?? 0
    if (colour === transparent) {
      wait(transparent, at + 1, 0)
      return
    }
    const most = tolerance[at] ?? 0
    let rank = 0
    while (rank < colours && (distance[colour * 256 + (sorted[colour * 256 + rank] ?? 0)] ?? 0) <= most) rank++
    // A stack: the nearest colour is pushed last.
    while (rank-- > 0) {
      const index = sorted[colour * 256 + rank] ?? 0
      const isColour = index !== transparent && index < indices
      if (isColour) wait(index, at + 1, (distance[colour * 256 + index] ?? 0) / most)
    }
    const shownColour = free[at] ?? 0
    if (shownColour > 0) wait(transparent, at + 1, shownColour / FREE_STEPS - BONUS)
  }
  function follow(code: number, place: number, loss: number): void {
    const colour = own[place] ?? 0
    const shownColour = free[place] ?? 0
    const most = tolerance[place] ?? 0
    for (let child = newest[code] ?? 0; child !== 0; child = older[child] ?? 0) {
      const index = symbol[child] ?? 0
      if (index === transparent) {
        if (colour === transparent) wait(child, place + 1, loss)
        else if (shownColour > 0) wait(child, place + 1, loss + shownColour / FREE_STEPS - BONUS)
      } else if (colour !== transparent) {
        const differs = distance[colour * 256 + index] ?? 0
        if (differs <= most) wait(child, place + 1, loss + differs / most)
      }
    }
  }
  const matcher = {
    code: 0,
    end: 0,
    find(at: number) {
      begin(at)
      matcher.end = at
      let least = 0
      for (let visits = 0; waiting > 0 && visits < MAX_VISITS; visits++) {
        waiting--
        const code = codes[waiting] ?? 0
        const place = places[waiting] ?? 0
        const loss = losses[waiting] ?? 0
        if (place > matcher.end || (place === matcher.end && loss < least)) {
          matcher.code = code
          matcher.end = place
          least = loss
        }
        if (place < pixels) follow(code, place, loss)
      }
    },
  }
  return matcher
}
