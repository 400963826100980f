import { limits } from '../contract/limits.ts'
import type { Job } from './job.ts'

/**
 * Megapixels that an image may have without waiting for room. A renderer tells the weight from the header; what is
 * heavier is handed back and waits here.
 */
export const LIGHT_MEGAPIXELS = 20

/**
 * Megapixels of all heavy images at work at once: one of the largest. Encoding 80 megapixels as AVIF takes 2.5 GB, so
 * sixteen of them are worked on one after the other, while light images go on in the other renderers.
 */
export const HEAVY_MEGAPIXELS = limits.pixels / 1e6

/** Jobs in the order they came. Light ones may pass heavy ones that wait for room; heavy ones keep their order. */
export interface JobQueue {
  readonly length: number
  /** Seconds that the first of its jobs has waited; 0 when none waits. */
  readonly oldestSeconds: number
  /** Megapixels of its heavy jobs at work. */
  readonly heavyAtWork: number
  /** Megapixels of the heavy job that is next; 0 when none waits. */
  readonly heavyNext: number
  add(job: Job): void
  /** A heavy job goes back to where it was: before all that came later. */
  putBack(job: Job): void
  /** Takes the first job that may start now, and counts its weight as at work until it is done. */
  take(): Job | undefined
  done(job: Job): void
  remove(job: Job): boolean
  removeAll(): readonly Job[]
}

/** @param elsewhere megapixels that heavy jobs of other queues take of the room which all queues share */
export function jobQueue(elsewhere: () => number = () => 0): JobQueue {
  const waiting: Job[] = []
  let heavyAtWork = 0
  const heavyWeight = ({ weight }: Job) => (weight <= LIGHT_MEGAPIXELS ? 0 : weight)
  const isHeavy = (job: Job) => heavyWeight(job) > 0
  const hasRoom = (job: Job) => !isHeavy(job) || elsewhere() + heavyAtWork + job.weight <= HEAVY_MEGAPIXELS

  function take(): Job | undefined {
    const firstHeavy = waiting.findIndex(isHeavy)
    const at = waiting.findIndex((job, index) => hasRoom(job) && (!isHeavy(job) || index === firstHeavy))
    const [job] = at < 0 ? [] : waiting.splice(at, 1)
    if (job) heavyAtWork += heavyWeight(job)
    return job
  }

  return {
    get length() {
      return waiting.length
    },
    get oldestSeconds() {
      const [first] = waiting
      return first ? (performance.now() - first.queuedAt) / 1000 : 0
    },
    get heavyAtWork() {
      return heavyAtWork
    },
    get heavyNext() {
      return waiting.find(isHeavy)?.weight ?? 0
    },
    add: (job) => void waiting.push(job),
    putBack(job) {
      const later = waiting.findIndex(({ queuedAt }) => queuedAt > job.queuedAt)
      waiting.splice(later < 0 ? waiting.length : later, 0, job)
    },
    take,
    done(job) {
      heavyAtWork -= heavyWeight(job)
    },
    remove(job) {
      const at = waiting.indexOf(job)
      if (at >= 0) waiting.splice(at, 1)
      return at >= 0
    },
    removeAll: () => waiting.splice(0),
  }
}
