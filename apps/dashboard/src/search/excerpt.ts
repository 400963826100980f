import { isOneLetterOff, searchWords } from './ranked.ts'

/** A piece of an excerpt; hits are what was searched for. */
export interface Piece {
  readonly text: string
  readonly isHit: boolean
}

/** Characters before the first hit, and in all. */
const BEFORE = 50
const LENGTH = 170

/** The part of a text around the first hit of a query, or its beginning where it has none. */
export function excerptOf(text: string, query: readonly string[]): readonly Piece[] {
  const plain = text.replaceAll(/\s+/g, ' ').trim()
  const hits = patternOf(plain, query)
  const first = hits ? plain.search(hits) : -1
  const start = first > BEFORE ? plain.indexOf(' ', first - BEFORE) + 1 : 0
  const whole = plain.slice(start, start + LENGTH)
  const cut = start + LENGTH < plain.length ? `${whole.slice(0, whole.lastIndexOf(' '))} …` : whole
  return piecesOf(start > 0 ? `… ${cut}` : cut, hits)
}

/** A short text, whole, with its hits. */
export const markedText = (text: string, query: readonly string[]): readonly Piece[] => piecesOf(text, patternOf(text, query))

function piecesOf(text: string, hits: RegExp | undefined): readonly Piece[] {
  if (!hits) return [{ text, isHit: false }]
  const pieces: Piece[] = []
  let at = 0
  for (const match of text.matchAll(new RegExp(hits, 'giu'))) {
    if (match.index > at) pieces.push({ text: text.slice(at, match.index), isHit: false })
    pieces.push({ text: match[0], isHit: true })
    at = match.index + match[0].length
  }
  return at < text.length ? [...pieces, { text: text.slice(at), isHit: false }] : pieces
}

/** The words of the query as the text has them: with the marks between letters that words are compared without, or mistyped. */
function patternOf(text: string, query: readonly string[]): RegExp | undefined {
  const words = searchWords(text)
  const hitWords = query.flatMap((word) => {
    if (words.some((each) => each.includes(word))) return [word]
    const similarWord = words.find((each) => isOneLetterOff(word, each))
    return similarWord === undefined ? [] : [similarWord]
  })
  if (hitWords.length === 0) return undefined
  // At the beginnings of words where there is one: "art" is no hit in "part" then.
  const patterns = hitWords.map((word) => {
    const letters = [...word].join('[^\\p{L}\\p{N}\\s]?')
    return words.some((each) => each.startsWith(word)) ? `(?<![\\p{L}\\p{N}])${letters}` : letters
  })
  return new RegExp(patterns.join('|'), 'iu')
}
