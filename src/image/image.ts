import type { Sharp } from 'sharp'
import type { Header } from './header.ts'

/** An opened image on its way through an operation. */
export interface Image {
  /** The file as it came. */
  readonly source: Buffer
  readonly header: Header
  /** Frames in `pixels`: all of them when the answer moves too, else the first. */
  readonly frames: number
  /** Decodes when it is written, oriented as displayed. */
  readonly pixels: Sharp
}
