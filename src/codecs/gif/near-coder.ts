import { colourDistance } from './colour-distance.ts'
import { dictionary } from './dictionary.ts'
import type { FrameCoder } from './frame-coder.ts'
import { TRANSPARENT } from './gif-file.ts'
import { encodeLzw } from './lzw-encode.ts'
import { nearMatcher } from './near-match.ts'
import { type Neighbours, neighboursOf } from './neighbours.ts'
import { BLOCK, tolerances } from './tolerance.ts'

/** How long a full dictionary may stay while it does worse: of those tried, the best on most. */
const PATIENCE = 1.2
/** What `shows` says of a difference as large as is allowed, beside 1 for none. */
const STEPS = 254

/** @param tolerance how many grey levels a pixel may differ from the source; in a busy block more */
export function nearCoder(tolerance: number): FrameCoder {
  const strings = dictionary()
  const known = new Map<readonly number[], Neighbours>()
  // Most frames have the global palette, whose neighbours take 5 ms to find.
  function neighboursIn(colours: readonly number[]): Neighbours {
    const neighbours = known.get(colours) ?? neighboursOf(colours)
    known.set(colours, neighbours)
    return neighbours
  }
  return (canvas, shown, across) => {
    const limits = tolerances(canvas, across, tolerance * tolerance)
    const columns = Math.ceil(across / BLOCK)
    const limitAt = (at: number) => {
      const row = Math.floor(at / across)
      return limits[Math.floor(row / BLOCK) * columns + Math.floor((at - row * across) / BLOCK)] ?? 0
    }
    return {
      shows(at) {
        const [wanted, there] = [canvas[at] ?? 0, shown[at] ?? 0]
        if (wanted === there) return 1
        if (wanted === TRANSPARENT || there === TRANSPARENT) return 0
        const share = colourDistance(wanted, there) / limitAt(at)
        return share > 1 ? 0 : 1 + Math.round(share * STEPS)
      },
      code(choices, colours, area) {
        const allowed = new Float32Array(choices.own.length)
        for (let to = 0; to < allowed.length; to++) {
          const y = area.top + Math.floor(to / area.width)
          allowed[to] = limitAt(y * across + area.left + (to % area.width))
        }
        const matcher = nearMatcher(choices, neighboursIn(colours), allowed, strings)
        return encodeLzw(choices.own.length, Math.log2(choices.indices), PATIENCE, strings, matcher)
      },
    }
  }
}
