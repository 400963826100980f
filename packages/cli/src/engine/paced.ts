import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from './engine.ts'

/** How many images at once keep within a share of the processors, and which share of the time they may work. */
export interface Pace {
  readonly jobs: number
  /** From 0 to 1. */
  readonly busyShare: number
}

/** @param percent of all processors, from 1 to 100 */
export function paceOf(percent: number, jobs: number | undefined, processors = availableParallelism()): Pace {
  const budget = (processors * percent) / 100
  const atOnce = Math.min(Math.ceil(budget), jobs ?? Number.POSITIVE_INFINITY)
  return { jobs: atOnce, busyShare: Math.min(1, budget / atOnce) }
}

/**
 * An engine that pauses after each image as long as its share of the time asks for. A renderer works on one processor, so that the
 * time of an image is that of the processor.
 */
export function pacedEngine(engine: Engine, { jobs, busyShare }: Pace): Engine {
  const waiting: (() => void)[] = []
  let freePlaces = jobs

  async function enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (freePlaces > 0) {
      freePlaces--
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push(resolve)
    await promise
  }
  function leave(): void {
    const next = waiting.shift()
    if (next) next()
    else freePlaces++
  }
  return {
    jobs: engine.jobs,
    async render(source, signal) {
      await enter(signal)
      const began = performance.now()
      try {
        return await engine.render(source, signal)
      } finally {
        const pauseMs = (performance.now() - began) * (1 / busyShare - 1)
        // Interrupted, there is nothing left to wait for.
        sleep(pauseMs, undefined, { signal }).then(leave, leave)
      }
    },
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  }
}
