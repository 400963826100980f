import type { Choices, FrameCoder } from './frame-coder.ts'
import { type Dictionary, dictionary, type Encoded, encodeLzw, type Matcher } from './lzw-encode.ts'

/** Values of `patience` of encodeLzw to try, by their usual success. */
const PATIENCE = [0, 1.2, 2, 1, 1.5] as const

/** @param tries 1–7, how many encodings of a frame are compared */
export function exactCoder(tries: number): FrameCoder {
  const strings = dictionary()
  const code = (choices: Choices, patience: number): Encoded =>
    encodeLzw(choices.own.length, Math.log2(choices.indices), patience, strings, exactMatcher(choices, strings))
  return (canvas, picture) => ({
    shows: (at) => (canvas[at] === picture[at] ? 1 : 0),
    code(choices) {
      const ways = [choices, leftOut(choices), writtenOut(choices)]
        .filter((way) => way !== undefined)
        .slice(0, Math.ceil(tries / 2))
      const codings = ways.map((way) => ({ way, ...code(way, PATIENCE[0]) }))
      let best = codings.reduce((a, b) => (b.data.length < a.data.length ? b : a))
      if (!best.wasFull) return best
      for (const patience of PATIENCE.slice(1, 1 + tries - ways.length)) {
        const other = code(best.way, patience)
        if (other.data.length < best.data.length) best = { way: best.way, ...other }
      }
      return best
    },
  })
}

/** Transparent wherever allowed; undefined when that makes no difference. */
function leftOut(choices: Choices): Choices | undefined {
  const { free, transparent } = choices
  if (!hasFree(choices)) return undefined
  const own = choices.own.slice()
  for (let at = 0; at < own.length; at++) if (free[at] !== 0) own[at] = transparent
  return { ...choices, own, free: new Uint8Array(free.length) }
}

/** Transparent only where it must be. */
const writtenOut = (choices: Choices): Choices | undefined =>
  hasFree(choices) ? { ...choices, free: new Uint8Array(choices.free.length) } : undefined

function hasFree({ free }: Choices): boolean {
  for (let at = 0; at < free.length; at++) if (free[at] !== 0) return true
  return false
}

/** Finds the longest string; follows both choices of a pixel. */
export function exactMatcher({ own, free, transparent }: Choices, { child }: Dictionary): Matcher {
  const pixels = own.length
  // No string is longer than the dictionary, and each of its pixels pushes at most one alternative.
  const codes = new Uint16Array(4097)
  const places = new Int32Array(4097)
  const matcher = {
    code: 0,
    end: 0,
    find(at: number) {
      let waiting = 0
      let code = own[at] ?? 0
      let place = at + 1
      if (free[at]) {
        codes[0] = code
        places[0] = place
        waiting = 1
        code = transparent
      }
      matcher.end = at
      for (;;) {
        while (place < pixels) {
          const children = code * 256
          const same = child[children + (own[place] ?? 0)] ?? 0
          const through = free[place] ? (child[children + transparent] ?? 0) : 0
          if (same === 0 && through === 0) break
          place++
          if (same !== 0 && through !== 0) {
            codes[waiting] = same
            places[waiting++] = place
          }
          code = through || same
        }
        if (place > matcher.end) {
          matcher.code = code
          matcher.end = place
        }
        if (waiting === 0) return
        waiting--
        code = codes[waiting] ?? 0
        place = places[waiting] ?? 0
      }
    },
  }
  return matcher
}
