// How unlikely a name is in an encoding, in bits. The numbers are about the logarithm of how many characters are as common: 64 kana, 2,000
// common kanji or hanzi, 30 letters.

/** Bits of a name: of its bytes, and of its text as the encoding decodes them. */
export type Cost = (bytes: Buffer, text: string) => number

/** Letters, digits and what else names usually have. */
const USUAL = /^[a-z0-9 ._()/\\-]$/i
const asciiCost = (character: string): number => (USUAL.test(character) ? 4 : 9)

/** Beside every other pair of bytes. */
const RARE = 17

export interface PairAreas {
  /** First and last pair of bytes, both included, and the bits of each. */
  readonly areas: readonly (readonly [first: number, last: number, bits: number])[]
  /** The second byte of common characters is this at least. */
  readonly least?: number
  /** Bytes that are a character alone. */
  readonly isSingle?: (byte: number) => boolean
  readonly single?: number
}

/** Of encodings in which characters other than ASCII are two bytes, the common ones in a few areas. */
export function bytePairs({ areas, least = 0, isSingle = () => false, single = RARE }: PairAreas): Cost {
  const costOf = (pair: number): number =>
    (pair & 0xff) < least ? RARE : (areas.find(([first, last]) => pair >= first && pair <= last)?.[2] ?? RARE)
  return (bytes) => {
    let bits = 0
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0
      if (byte < 0x80) bits += asciiCost(String.fromCharCode(byte))
      else if (isSingle(byte)) bits += single
      else {
        at++
        bits += costOf(byte * 256 + (bytes[at] ?? 0))
      }
    }
    return bits
  }
}

const LETTER = 5
const SYMBOL = 12
/** A capital after a small letter, and letters of two alphabets in one word. */
const ODD = 6
/** A capital beside another. */
const SHOUTED = 3
/** A letter with an accent beside none without one; `ß` where no vowel precedes it, and a vowel with an accent where one does. */
const UNUSUAL = 4

const isLetter = (character: string | undefined): character is string => character !== undefined && /\p{L}/u.test(character)
const isSmall = (character: string): boolean => character !== character.toUpperCase() || character === 'ß'
const isCyrillic = (character: string): boolean => /\p{Script=Cyrillic}/u.test(character)
const isLatin = (character: string): boolean => /\p{Script=Latin}/u.test(character)
const VOWEL = /^[aeiouyäöüàáâãåæèéêëìíîïòóôõøùúûý]$/i

/** Of alphabets in one byte: words have small letters, with or without a capital first, and of one alphabet. */
export const letters: Cost = (_bytes, text) => {
  const characters = Array.from(text)
  return characters.reduce((bits, character, at) => bits + letterCost(characters[at - 1], character, characters[at + 1]), 0)
}

function letterCost(before: string | undefined, character: string, after: string | undefined): number {
  if (character < '\x80') return asciiCost(character)
  if (!isLetter(character) || !(isLatin(character) || isCyrillic(character))) return SYMBOL
  const neighbours = [before, after].filter(isLetter)
  const isMixed = neighbours.some((each) => isCyrillic(each) !== isCyrillic(character))
  const isCapital = !isSmall(character)
  const isInside = isCapital ? isLetter(before) && isSmall(before) : isLetter(after) && !isSmall(after)
  const isShouted = isCapital && !isInside && neighbours.some((each) => !isSmall(each))
  const isAlone = isLatin(character) ? !neighbours.some((each) => each < '\x80') : neighbours.length === 0
  const followsVowel = before !== undefined && VOWEL.test(before)
  const isMisplaced = character === 'ß' ? !followsVowel : followsVowel && VOWEL.test(character)
  return LETTER + (isMixed || isInside ? ODD : 0) + (isShouted ? SHOUTED : 0) + (isAlone || isMisplaced ? UNUSUAL : 0)
}
