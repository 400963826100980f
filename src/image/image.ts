import type { Sharp } from 'sharp'
import type { WarningName } from '../contract/warnings.ts'
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
  /** What an answer made of the pixels is to warn of. */
  readonly warnings: readonly WarningName[]
}
