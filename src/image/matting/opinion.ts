import type { Mask } from './regions.ts'

/** Where the subject is, and how likely that is right. */
export interface Opinion {
  readonly mask: Mask
  /** 0–1 */
  readonly confidence: number
}
