import type { Codec } from '../../codecs/codec.ts'

type Format = Codec['name']

/** What is tried for a use, and what it may be left as. */
export interface UseCase {
  /** As sentences call it. */
  readonly name: string
  /** On the one scale of all formats. */
  readonly quality: number
  /** Pixels that the longer side may have; without it, all there are. */
  readonly longestSide?: number
  /** Formats at that quality, and without loss: the cheap ones first. */
  readonly lossy: readonly Format[]
  readonly exact: readonly Format[]
  /** Whether nothing may ever be lost, or only drawings are better off without loss. */
  readonly exactOf: 'all' | 'drawn'
  /** What is to keep its 16 bits and its inks. */
  readonly faithful?: true
  /** Formats that can be left as they are where nothing else is smaller: what the use can show. Without it, all. */
  readonly shown?: readonly Format[]
  /** Printed, which is a matter of centimetres. */
  readonly onPaper?: true
}

const browsers = ['jpeg', 'png', 'webp', 'avif', 'gif'] as const

export const useCases = {
  // WordPress, of which most pages are made, scales to 2,560 pixels whatever is larger.
  web: {
    name: 'the web',
    quality: 75,
    longestSide: 2_560,
    lossy: ['jpeg', 'webp', 'avif'],
    exact: ['png', 'webp'],
    exactOf: 'drawn',
    shown: browsers,
  },
  // What Shopify advises for products, so that they can be looked at closely.
  ecommerce: {
    name: 'a shop',
    quality: 85,
    longestSide: 2_048,
    lossy: ['jpeg', 'webp', 'avif'],
    exact: ['png', 'webp'],
    exactOf: 'drawn',
    shown: browsers,
  },
  // Networks encode anew what they get, so it comes in good quality, in what all of them take; Facebook shows 2,048 pixels.
  'social-media': {
    name: 'social media',
    quality: 85,
    longestSide: 2_048,
    lossy: ['jpeg', 'gif'],
    exact: ['png'],
    exactOf: 'drawn',
    shown: ['jpeg', 'png', 'gif'],
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
