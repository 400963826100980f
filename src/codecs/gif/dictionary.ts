export const MAX_CODES = 4096
const SYMBOLS = 256

/** The strings that codes stand for, as a trie: each is one symbol longer than its parent. 0 is no code of a child. */
export interface Dictionary {
  /** By parent × 256 + symbol. */
  readonly child: Uint16Array
  /** The children of a code as a list: the newest first, each naming the next. */
  readonly newest: Uint16Array
  readonly older: Uint16Array
  readonly parent: Uint16Array
  readonly symbol: Uint8Array
  /** The symbol that a string begins with. */
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
  // A search that gave up early may write a string twice: the first code stays.
  to.child[parent * SYMBOLS + symbol] ||= code
}

/** Another symbol for the newest child of its parent. */
export function relabel(to: Dictionary, code: number, symbol: number): void {
  const parent = to.parent[code] ?? 0
  const at = parent * SYMBOLS + (to.symbol[code] ?? 0)
  if (to.child[at] === code) to.child[at] = 0
  to.symbol[code] = symbol
  to.child[parent * SYMBOLS + symbol] ||= code
}

/** Forgets the codes from the first up to the next, which is not given yet. */
export function forget(all: Dictionary, first: number, next: number): void {
  for (let code = first; code < next; code++) all.child[(all.parent[code] ?? 0) * SYMBOLS + (all.symbol[code] ?? 0)] = 0
  all.newest.fill(0)
}
