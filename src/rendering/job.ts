import type { Codec } from '../codecs/codec.ts'
import type { WarningName } from '../contract/warnings.ts'
import type { Examined } from '../studies/study.ts'
import type { Files } from './renderer-process.ts'
import type { Task } from './wire.ts'

export interface Rendered {
  readonly bytes: Buffer
  readonly codec: Codec
  /** Pixels of one frame. */
  readonly width: number
  readonly height: number
  /** What is not in the answer of what the file has. */
  readonly warnings: readonly WarningName[]
}

/** How a job ended. */
export interface JobOver {
  readonly queuedAt: number
  readonly beganAt: number
  readonly endedAt: number
  readonly operation: string
  /** Of the renderer that ended it. */
  readonly lane: string
  /** The format of the answer, `report` of a study, or the identifier of the error. */
  readonly outcome: string
}

/** An image that waits for a renderer or is in one. */
export interface Job {
  /** Whose image it is; empty where nobody's share is to be counted. */
  readonly account: string
  readonly task: Task
  readonly files: Files
  readonly signal: AbortSignal
  /** performance.now() when it was queued. */
  readonly queuedAt: number
  /** Megapixels, once a renderer has told them: of what is heavy, and of what has its time by them. */
  weight: number
  resolve(result: Rendered | Examined): void
  reject(error: unknown): void
  /** It is over; moments as performance.now() has them. */
  readonly onOver?: ((over: JobOver) => void) | undefined
}
