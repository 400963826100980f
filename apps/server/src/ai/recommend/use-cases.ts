import type { Codec } from '@pixelmill/codecs/codec'

type Format = Codec['name']

/** The formats that are tried for a use. */
export interface UseCase {
  /** Name in sentences. */
  readonly name: string
  /** On the quality scale that all formats share. */
  readonly quality: number
  /** Longest side in pixels; undefined: unlimited. */
  readonly longestSide?: number
  /** Formats tried at that quality, and lossless ones, the fastest first. */
  readonly lossy: readonly Format[]
  readonly exact: readonly Format[]
  /** Whether all pictures, or only drawings, are tried lossless. */
  readonly exactOf: 'all' | 'drawn'
  /** Keeps 16 bits a channel and CMYK. */
  readonly faithful?: true
  /** Formats that may be kept where nothing is smaller: those that the use can show. Undefined: all. */
  readonly shown?: readonly Format[]
  /** Formats that hold animations, of which the use shows the first frame alone. */
  readonly stills?: readonly Format[]
  /** Printed: the size in centimetres is stated too. */
  readonly onPaper?: true
}

const browsers = ['jpeg', 'png', 'webp', 'avif', 'gif'] as const

export const useCases = {
  // WordPress, which most pages use, scales larger pictures to 2,560 pixels.
  web: {
    name: 'the web',
    quality: 75,
    longestSide: 2_560,
    lossy: ['jpeg', 'webp', 'avif'],
    exact: ['png', 'webp'],
    exactOf: 'drawn',
    shown: browsers,
  },
  // Shopify's advice for products that customers can zoom into.
  ecommerce: {
    name: 'a shop',
    quality: 85,
    longestSide: 2_048,
    lossy: ['jpeg', 'webp', 'avif'],
    exact: ['png', 'webp'],
    exactOf: 'drawn',
    shown: browsers,
  },
  // Networks re-encode uploads, so these are of good quality and in formats that all accept; Facebook shows 2,048 pixels.
  'social-media': {
    name: 'social media',
    quality: 85,
    longestSide: 2_048,
    lossy: ['jpeg', 'gif'],
    exact: ['png'],
    exactOf: 'drawn',
    shown: ['jpeg', 'png', 'gif'],
    stills: ['png'],
  },
  // Print shops take neither WebP nor AVIF. From 90 on, colour is at full resolution.
  print: {
    name: 'print',
    quality: 95,
    lossy: ['jpeg'],
    exact: ['png'],
    exactOf: 'drawn',
    faithful: true,
    shown: ['jpeg', 'png', 'tiff'],
    onPaper: true,
  },
  archive: { name: 'an archive', quality: 100, lossy: [], exact: ['png', 'webp'], exactOf: 'all', faithful: true },
  general: {
    name: 'general use',
    quality: 80,
    lossy: ['jpeg', 'webp', 'gif', 'avif'],
    exact: ['png', 'webp'],
    exactOf: 'drawn',
  },
} as const satisfies Record<string, UseCase>

export type UseCaseName = keyof typeof useCases
export const useCaseNames = Object.keys(useCases) as [UseCaseName, ...UseCaseName[]]
