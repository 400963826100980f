import { isUtf8 } from 'node:buffer'
import { bytePairs, type Cost, letters } from './name-costs.ts'

/** How the names of an archive may be encoded that does not say so. */
export interface Encoding {
  /** Undefined for bytes that have no meaning in it. */
  decode(bytes: Buffer): string | undefined
  /** How unlikely the name is as one of this encoding, in bits; absent where names are not recognised by it. */
  readonly cost?: Cost
  /** What it must be likelier by than others that fit as well, in bits for the archive. */
  readonly handicap?: number
  /** Whether most characters are two bytes, which may be valid UTF-8 by chance. */
  readonly isWide?: true
}

/** APPNOTE appendix D, which is the default, and what systems write instead; in the order of equals. */
export const encodings = {
  cp437: { ...ofTable(upper437()), cost: letters, handicap: 0 },
  cp850: { ...ofTable(upper850()), cost: letters, handicap: 1 },
  cp1252: { decode: decoderOf('windows-1252'), cost: letters, handicap: 0 },
  shift_jis: {
    decode: decoderOf('shift_jis'),
    // Kana, then the kanji of level 1, then those of level 2; a byte from A1 to DF alone is a narrow katakana.
    cost: bytePairs({
      isSingle: (byte) => byte >= 0xa1 && byte <= 0xdf,
      single: 9,
      areas: [
        [0x8140, 0x81fc, 10],
        [0x824f, 0x829a, 8],
        [0x829f, 0x82f1, 6],
        [0x8340, 0x8396, 6],
        [0x889f, 0x9872, 11],
        [0x989f, 0xeaa4, 15],
      ],
    }),
    isWide: true,
  },
  gbk: {
    decode: decoderOf('gbk'),
    // The hanzi of level 1 of GB 2312, then those of level 2.
    cost: bytePairs({
      least: 0xa1,
      areas: [
        [0xa1a1, 0xa3fe, 10],
        [0xb0a1, 0xd7f9, 11],
        [0xd8a1, 0xf7fe, 15],
      ],
    }),
    isWide: true,
  },
  big5: {
    decode: decoderOf('big5'),
    cost: bytePairs({
      areas: [
        [0xa140, 0xa3bf, 10],
        [0xa440, 0xc67e, 11],
        [0xc940, 0xf9d5, 15],
      ],
    }),
    handicap: 3,
    isWide: true,
  },
  // Its syllables lie where half of the most common hanzi of GBK are.
  'euc-kr': {
    decode: decoderOf('euc-kr'),
    cost: bytePairs({
      least: 0xa1,
      areas: [
        [0xa1a1, 0xa3fe, 10],
        [0xb0a1, 0xc8fe, 9],
      ],
    }),
    handicap: 12,
    isWide: true,
  },
  cp1251: { decode: decoderOf('windows-1251'), cost: letters, handicap: 4 },
  cp866: { decode: decoderOf('ibm866'), cost: letters, handicap: 4 },
  'utf-8': { decode: (bytes) => (isUtf8(bytes) ? bytes.toString('utf8') : undefined) },
} as const satisfies Readonly<Record<string, Encoding>>

export type EncodingName = keyof typeof encodings

// Undefined bytes become control characters of the same number.
const UNDEFINED = /[\x80-\x9f]/

function decoderOf(label: string): Encoding['decode'] {
  const decoder = new TextDecoder(label, { fatal: true })
  return (bytes) => {
    try {
      const text = decoder.decode(bytes)
      return UNDEFINED.test(text) ? undefined : text
    } catch (error) {
      if (error instanceof TypeError) return undefined
      throw error
    }
  }
}

/** Of the upper half of a code page; below 128 it is ASCII. */
function ofTable(upper: string) {
  return {
    decode: (bytes: Buffer): string =>
      Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : upper.charAt(byte - 128))).join(''),
  }
}

function upper437(): string {
  return (
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
    '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'
  )
}

/** Of Windows in Western Europe. */
function upper850(): string {
  return (
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
    '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0'
  )
}
