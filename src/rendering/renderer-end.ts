import { ApiError } from '../contract/api-error.ts'

/** Why a renderer process ended under its work, as the metrics count it: by itself, or for the sake of its image. */
export type EndReason = 'memory' | 'cpu' | 'killed' | 'crash' | 'start' | 'timeout' | 'abandoned'

/** The exit code with which a renderer says that it could not get memory. */
export const OUT_OF_MEMORY = 12

/** The end of a renderer process; whoever waits for its answer gets this instead. */
export class RendererEnd extends Error {
  readonly reason: EndReason

  constructor(reason: EndReason, detail: string) {
    super(detail)
    this.reason = reason
  }
}

/**
 * Whether an image failed because its renderer ended, which says little of the image: it may work at the next try. An image
 * that took too long will take too long again.
 */
export function rendererCrashed(error: unknown): boolean {
  return error instanceof ApiError && error.cause instanceof RendererEnd && error.cause.reason !== 'timeout'
}

/** The last words of V8, GLib and C++ when there is no memory: they abort, and do not say it by a code. */
const NO_MEMORY = /out of memory|failed to allocate|bad_alloc/i

/** Reads why from what the system and the process itself say of its end. */
export function rendererEnd(code: number | null, signal: NodeJS.Signals | null, words: string): RendererEnd {
  const detail = `renderer ended with ${signal ?? `code ${code}`}: ${words.trim()}`
  return new RendererEnd(reasonOf(code, signal, words), detail)
}

function reasonOf(code: number | null, signal: NodeJS.Signals | null, words: string): EndReason {
  if (code === OUT_OF_MEMORY || NO_MEMORY.test(words)) return 'memory'
  if (signal === 'SIGXCPU') return 'cpu'
  // By the operator, or by the kernel when the machine has no memory left.
  if (signal === 'SIGKILL') return 'killed'
  return 'crash'
}
