/** A text and how far it was read. */
interface Source {
  readonly text: string
  at: number
}

const DEEPEST = 32

/** Closing quotes for each opening quote: word processors and models use typographic ones. */
const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '‘': "’'",
  '’': "’'",
  '“': '”“"',
  '”': '”“"',
  '„': '“”"',
}
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }
const WORDS: ReadonlyMap<string, unknown> = new Map([
  ...(['null', 'none', 'undefined', 'nan'] as const).map((word) => [word, null] as const),
  ...([true, false] as const).map((word) => [String(word), word] as const),
])

const BLANK = /[\s,]*(?:\/\/[^\n]*[\s,]*)*/y
const BARE = /(?:(?!\/\/)[^,:{}[\]\n])*/y
const HEX = /[0-9a-f]{4}/iy
const NUMBER = /^[-+]?\d+(\.\d*)?(e[-+]?\d+)?$/i
/** A quote ends a string only where JSON syntax follows; otherwise it is an apostrophe or was not escaped. */
const BEHIND_A_STRING = /\s*(?:[,:}\]]|$)/y

/**
 * Reads malformed JSON of models: wrong or missing quotes, Python's literals, extra or missing commas, comments, no end.
 * Linear in the untrusted text: jsonrepair 3.15 took 9 s of CPU for 8,000 hostile characters.
 * @throws SyntaxError where that is not enough
 */
export function readLenient(text: string): unknown {
  return readValue({ text, at: 0 }, 0)
}

function readValue(source: Source, depth: number): unknown {
  skip(source, BLANK)
  if (depth > DEEPEST) throw new SyntaxError('too deep')
  const sign = source.text[source.at] ?? ''
  if (sign === '{') return readObject(source, depth)
  if (sign === '[') return readArray(source, depth)
  return sign in CLOSING ? readString(source) : meaningOf(readBare(source))
}

function readObject(source: Source, depth: number): object {
  const entries: [string, unknown][] = []
  source.at++
  while (!hasEnded(source, '}')) {
    const key = (source.text[source.at] ?? '') in CLOSING ? readString(source) : readBare(source)
    skip(source, BLANK)
    if (source.text[source.at] !== ':') throw new SyntaxError('no colon')
    source.at++
    entries.push([key, readValue(source, depth + 1)])
  }
  return Object.fromEntries(entries)
}

function readArray(source: Source, depth: number): readonly unknown[] {
  const values: unknown[] = []
  source.at++
  while (!hasEnded(source, ']')) values.push(readValue(source, depth + 1))
  return values
}

/** Consumes the closing character if it comes next; the end of the text closes everything. */
function hasEnded(source: Source, closing: string): boolean {
  skip(source, BLANK)
  if (source.at >= source.text.length) return true
  if (source.text[source.at] !== closing) return false
  source.at++
  return true
}

function readString(source: Source): string {
  const { text } = source
  const closing = CLOSING[text[source.at] ?? ''] ?? ''
  let read = ''
  for (source.at++; source.at < text.length; source.at++) {
    const sign = text[source.at] ?? ''
    if (sign === '\\') read += readEscaped(source)
    else if (closing.includes(sign) && isFollowedBy(BEHIND_A_STRING, text, source.at + 1)) {
      source.at++
      return read
    } else read += sign
  }
  return read
}

function readEscaped(source: Source): string {
  const sign = source.text[++source.at] ?? ''
  if (sign !== 'u' || !isFollowedBy(HEX, source.text, source.at + 1)) return ESCAPED[sign] ?? sign
  source.at += 4
  return String.fromCharCode(Number.parseInt(source.text.slice(source.at - 3, source.at + 1), 16))
}

/** A name or value without quotes. */
function readBare(source: Source): string {
  const word = skip(source, BARE).trim()
  if (word === '') throw new SyntaxError('no value')
  return word
}

function meaningOf(word: string): unknown {
  if (NUMBER.test(word)) return Number(word)
  const lowerCaseWord = word.toLowerCase()
  return WORDS.has(lowerCaseWord) ? WORDS.get(lowerCaseWord) : word
}

function isFollowedBy(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}

function skip(source: Source, pattern: RegExp): string {
  pattern.lastIndex = source.at
  const skippedText = pattern.exec(source.text)?.[0] ?? ''
  source.at += skippedText.length
  return skippedText
}
