import type { Choices } from './choices.ts'
import type { Dictionary } from './dictionary.ts'
import type { Matcher } from './lzw-encode.ts'

/** Finds the longest string: where a pixel has two choices, both are followed. */
export function exactMatcher({ own, free, transparent }: Choices, { child }: Dictionary): Matcher {
  const pixels = own.length
  // No string is longer than the dictionary, and each of its pixels leaves one way back at most.
  const [codes, places] = [new Uint16Array(4097), new Int32Array(4097)]
  const matcher = {
    code: 0,
    end: 0,
    find(at: number) {
      let waiting = 0
      let [code, place] = [own[at] ?? 0, at + 1]
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
