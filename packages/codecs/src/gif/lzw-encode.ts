import { MAX_CODES, MAX_WIDTH } from '../lzw.ts'

/** Finds a string in the dictionary for the pixels from a position on; at least one pixel long. */
export interface Matcher {
  find(at: number): void
  /** The result: the code, and the position after the string. */
  code: number
  end: number
}

export interface Encoded {
  /** Image data as in the file. */
  readonly data: Buffer
  /** The index written for each pixel. */
  readonly indices: Uint8Array
  /** Whether the dictionary is full. */
  readonly wasFull: boolean
}

/** Codes between two checks of the compression rate with a full dictionary. */
const WINDOW = 32

/**
 * GIF's LZW encoder.
 * @param strings an empty dictionary, in which the matcher searches; empty again at the end
 * @param minSize 2–8, bits of the largest index
 * @param patience 0 clears the dictionary when it is full; otherwise when the rate falls below the average divided by it
 */
export function encodeLzw(pixels: number, minSize: number, patience: number, strings: Dictionary, matcher: Matcher): Encoded {
  const clear = 1 << minSize
  const end = (1 << minSize) + 1
  const indices = new Uint8Array(pixels)
  for (let code = 0; code < clear; code++) strings.symbol[code] = strings.first[code] = code
  // Each pixel takes at most one code; a dictionary is cleared after 3,838 codes or more.
  const writer = codeWriter(pixels + Math.ceil(pixels / WINDOW) + 3)
  let next = end + 1
  let width = minSize + 1
  let previous = -1
  let at = 0
  let windowStart = 0
  let windowCodes = 0
  let segmentStart = 0
  let segmentBits = 0
  let wasFull = false
  writer.write(clear, width)
  while (at < pixels) {
    const growing = previous >= 0 && next < MAX_CODES
    if (growing) {
      // The previous string and the first symbol of the next; until that is known, its own first symbol, which the decoder allows.
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
    // Compares the recent rate of pixels per bit with that since the dictionary was empty: a new one achieves that average.
    const late = (at - windowStart) / (windowCodes * MAX_WIDTH)
    const average = (at - segmentStart) / (writer.bits() - segmentBits)
    if (patience > 0 && (growing || late * patience >= average)) {
      windowStart = at
      windowCodes = 0
      continue
    }
    writer.write(clear, width)
    forget(strings, end + 1, next)
    next = end + 1
    width = minSize + 1
    previous = -1
    windowCodes = 0
    segmentStart = at
    segmentBits = writer.bits()
  }
  // By now the decoder has one more string.
  if (previous >= 0 && next < MAX_CODES && next === 1 << width && width < MAX_WIDTH) width++
  writer.write(end, width)
  forget(strings, end + 1, next)
  return { data: writer.finish(minSize), indices, wasFull }
}

const SYMBOLS = 256

/** The strings of the codes as a trie: each is one symbol longer than its parent. 0 means no child. */
export interface Dictionary {
  /** By parent × 256 + symbol. */
  readonly child: Uint16Array
  /** The children of a code as a linked list, newest first. */
  readonly newest: Uint16Array
  readonly older: Uint16Array
  readonly parent: Uint16Array
  readonly symbol: Uint8Array
  /** The first symbol of a string. */
  readonly first: Uint8Array
}

export function dictionary(): Dictionary {
  return {
    child: new Uint16Array(MAX_CODES * SYMBOLS),
    newest: new Uint16Array(MAX_CODES),
    older: new Uint16Array(MAX_CODES),
    parent: new Uint16Array(MAX_CODES),
    symbol: new Uint8Array(MAX_CODES),
    first: new Uint8Array(MAX_CODES),
  }
}

export function link(to: Dictionary, code: number, parent: number, symbol: number): void {
  to.parent[code] = parent
  to.symbol[code] = symbol
  to.first[code] = to.first[parent] ?? 0
  to.older[code] = to.newest[parent] ?? 0
  to.newest[parent] = code
  // A search that gave up early may write a string twice: the first code is kept.
  to.child[parent * SYMBOLS + symbol] ||= code
}

/** Adds a symbol to the newest child of its parent. */
function relabel(to: Dictionary, code: number, symbol: number): void {
  const parent = to.parent[code] ?? 0
  const at = parent * SYMBOLS + (to.symbol[code] ?? 0)
  if (to.child[at] === code) to.child[at] = 0
  to.symbol[code] = symbol
  to.child[parent * SYMBOLS + symbol] ||= code
}

/** Removes the codes from the first up to the next one, which is not assigned yet. */
export function forget(all: Dictionary, first: number, next: number): void {
  for (let code = first; code < next; code++) all.child[(all.parent[code] ?? 0) * SYMBOLS + (all.symbol[code] ?? 0)] = 0
  all.newest.fill(0)
}

const BLOCK_BYTES = 255

/** Packs codes of up to 12 bits, lowest bit first. */
export interface CodeWriter {
  write(code: number, width: number): void
  bits(): number
  /** Image data as in the file: the bits of a pixel, sub-blocks of 255 bytes, an empty one. */
  finish(minSize: number): Buffer
}

/** @param codes maximum number of codes */
function codeWriter(codes: number): CodeWriter {
  const bytes = new Uint8Array(Math.ceil((codes * MAX_WIDTH) / 8) + 4)
  let heldBits = 0
  let bits = 0
  let at = 0
  return {
    write(code, width) {
      bits |= code << heldBits
      heldBits += width
      for (; heldBits >= 8; heldBits -= 8) {
        bytes[at++] = bits
        bits >>>= 8
      }
    },
    bits: () => at * 8 + heldBits,
    finish(minSize) {
      if (heldBits > 0) bytes[at++] = bits
      const data = Buffer.alloc(at + Math.ceil(at / BLOCK_BYTES) + 2)
      data[0] = minSize
      let to = 1
      for (let from = 0; from < at; from += BLOCK_BYTES) {
        const block = bytes.subarray(from, Math.min(from + BLOCK_BYTES, at))
        data[to] = block.length
        data.set(block, to + 1)
        to += block.length + 1
      }
      return data
    },
  }
}
