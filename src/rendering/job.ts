import type { Codec } from '../codecs/codec.ts'
import type { Recipe } from '../operations/run.ts'
import type { Files } from './renderer-process.ts'

export interface Rendered {
  readonly bytes: Buffer
  readonly codec: Codec
  /** Pixels of one frame. */
  readonly width: number
  readonly height: number
}

/** An image that waits for a renderer or is in one. */
export interface Job {
  readonly recipe: Recipe
  readonly files: Files
  readonly signal: AbortSignal
  /** performance.now() when it was queued. */
  readonly queuedAt: number
  /** Megapixels, once a renderer has seen that it is heavy. */
  weight: number
  resolve(rendered: Rendered): void
  reject(error: unknown): void
}
