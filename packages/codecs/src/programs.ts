import type { FormatName } from './image-formats.ts'

/**
 * The HEIC encoders: the program heif-enc (x265: any quality, a third of the time), elheif (kvazaar in WebAssembly: one
 * quality, nothing to install), or none, so that another format is sent instead.
 */
export const heicWriters = ['heif-enc', 'elheif', 'none'] as const
export type HeicWriter = (typeof heicWriters)[number]

/** Programs that finish what a renderer has begun, where they are installed: a renderer may start none. */
export const programs = {
  'heif-enc': { reads: 'png', writes: 'heic' },
  cjxl: { reads: 'jpeg', writes: 'jxl' },
} as const satisfies Record<string, { readonly reads: FormatName; readonly writes: FormatName }>

export type ProgramName = keyof typeof programs

/** What can be written on this machine. */
export interface Programs {
  readonly heicWriter: HeicWriter
  /** Whether cjxl packs JPEGs into JPEG XL. */
  readonly cjxl: boolean
}

export const NO_PROGRAMS: Programs = { heicWriter: 'none', cjxl: false }
