import { codeWriter } from './code-writer.ts'
import { type Dictionary, forget, link, MAX_CODES, relabel } from './dictionary.ts'

/** Finds a string of the dictionary that may stand for the pixels from a place on; at least one pixel long. */
export interface Matcher {
  find(at: number): void
  /** What was found: its code, and the place behind it. */
  code: number
  end: number
}

export interface Encoded {
  /** Image data as in the file. */
  readonly data: Buffer
  /** The index that was written for each pixel. */
  readonly indices: Uint8Array
  /** Whether the dictionary was full once. */
  readonly wasFull: boolean
}

/** Codes between two looks at how well a full dictionary still does. */
const WINDOW = 32
const MAX_WIDTH = 12

/**
 * LZW as GIF has it.
 * @param strings an empty dictionary, in which the matcher searches; empty again at the end
 * @param minSize 2–8, bits of the largest index
 * @param patience 0 clears the dictionary when it is full; else when pixels per bit fall below the average divided by it
 */
export function encodeLzw(pixels: number, minSize: number, patience: number, strings: Dictionary, matcher: Matcher): Encoded {
  const [clear, end] = [1 << minSize, (1 << minSize) + 1]
  const indices = new Uint8Array(pixels)
  for (let code = 0; code < clear; code++) strings.symbol[code] = strings.first[code] = code
  // Each pixel takes a code at most; a dictionary is cleared after 3,838 codes or more.
  const writer = codeWriter(pixels + Math.ceil(pixels / WINDOW) + 3)
  let [next, width, previous, at] = [end + 1, minSize + 1, -1, 0]
  let [windowStart, windowCodes, segmentStart, segmentBits, wasFull] = [0, 0, 0, 0, false]
  writer.write(clear, width)
  while (at < pixels) {
    const growing = previous >= 0 && next < MAX_CODES
    if (growing) {
      // The string before and the first symbol of the next one; until that is known, the one that may be used at once.
      link(strings, next, previous, strings.first[previous] ?? 0)
      if (next === 1 << width && width < MAX_WIDTH) width++
    }
    matcher.find(at)
    const { code } = matcher
    writer.write(code, width)
    for (let to = matcher.end - 1, step = code; to >= at; to--, step = strings.parent[step] ?? 0) {
      indices[to] = strings.symbol[step] ?? 0
    }
    if (growing) relabel(strings, next++, indices[at] ?? 0)
    at = matcher.end
    previous = code
    if (next < MAX_CODES || at === pixels) continue
    wasFull = true
    if (growing) windowStart = at
    else windowCodes++
    if (patience > 0 && windowCodes % WINDOW > 0) continue
    // Pixels per bit of late beside those since the dictionary was empty: a new one does as well as that on the average.
    const late = (at - windowStart) / (windowCodes * MAX_WIDTH)
    const average = (at - segmentStart) / (writer.bits() - segmentBits)
    if (patience > 0 && (growing || late * patience >= average)) {
      ;[windowStart, windowCodes] = [at, 0]
      continue
    }
    writer.write(clear, width)
    forget(strings, end + 1, next)
    ;[next, width, previous] = [end + 1, minSize + 1, -1]
    ;[windowCodes, segmentStart, segmentBits] = [0, at, writer.bits()]
  }
  // The decoder has one more string by now.
  if (previous >= 0 && next < MAX_CODES && next === 1 << width && width < MAX_WIDTH) width++
  writer.write(end, width)
  forget(strings, end + 1, next)
  return { data: writer.finish(minSize), indices, wasFull }
}
