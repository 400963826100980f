import { limits } from '../contract/limits.ts'
import type { Job } from './job.ts'
import type { Shares } from './shares.ts'

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

/**
 * Jobs by the turns of their accounts; those of one account in the order they came. Light ones may pass heavy ones that wait for
 * room; heavy ones keep their order.
 */
export interface JobQueue {
  readonly length: number
  /** Seconds that the job has waited that has for longest; 0 when none waits. */
  readonly oldestSeconds: number
  /** Megapixels of its heavy jobs at work. */
  readonly heavyAtWork: number
  /** Megapixels of the heavy job that is next; 0 when none waits. */
  readonly heavyNext: number
  /** Jobs, waiting or at work, that could be at work at once if there were renderers for all. */
  readonly runnable: number
  /** Jobs of an account that wait. */
  waitingOf(account: string): number
  /** Accounts of which jobs wait. */
  waiting(): Iterable<string>
  /** One that was at work already goes before all that came later. */
  add(job: Job): void
  /** Takes the job that is next of those that may start now, and counts its weight and its time until it is done. */
  take(): Job | undefined
  done(job: Job): void
  remove(job: Job): boolean
  removeAll(): readonly Job[]
}

export interface JobQueueSettings {
  /** Megapixels that heavy jobs of other queues take of the room which all queues share. */
  heavyElsewhere?(): number
  /** Jobs of one account that may be at work at once. */
  readonly mostOfOne?: number
  /** Whose turn it is; where nobody says, jobs go in the order they came. */
  readonly shares?: Shares
}

export function jobQueue({
  heavyElsewhere = () => 0,
  mostOfOne = Number.POSITIVE_INFINITY,
  shares,
}: JobQueueSettings = {}): JobQueue {
  /** The first that came in front. */
  const waiting: Job[] = []
  /** What is to be called when each is done. */
  const atWork = new Map<Job, () => void>()
  let heavyAtWork = 0
  const heavyWeight = ({ weight }: Job) => (weight <= LIGHT_MEGAPIXELS ? 0 : weight)
  const isHeavy = (job: Job) => heavyWeight(job) > 0
  const hasRoom = (job: Job) => !isHeavy(job) || heavyElsewhere() + heavyAtWork + job.weight <= HEAVY_MEGAPIXELS
  const atWorkOf = (account: string) => shares?.atWork(account) ?? 0

  /** Of these the one whose account has used least; of several such the one with fewest at work, then the one that came first. */
  function nextOf(jobs: readonly Job[]): Job | undefined {
    if (!shares || jobs.length < 2) return jobs[0]
    const used = new Map(jobs.map(({ account }) => [account, shares.usedBy(account)]))
    const before = (one: Job, other: Job) =>
      (used.get(one.account) ?? 0) - (used.get(other.account) ?? 0) || atWorkOf(one.account) - atWorkOf(other.account)
    return jobs.reduce((first, job) => (before(job, first) < 0 ? job : first))
  }
  const allowed = () => waiting.filter(({ account }) => atWorkOf(account) < mostOfOne)

  function take(): Job | undefined {
    const jobs = allowed()
    const heavy = nextOf(jobs.filter(isHeavy))
    const job = nextOf(jobs.filter((one) => (!isHeavy(one) || one === heavy) && hasRoom(one)))
    if (!job) return undefined
    waiting.splice(waiting.indexOf(job), 1)
    heavyAtWork += heavyWeight(job)
    atWork.set(job, shares?.begin(job.account) ?? (() => {}))
    return job
  }
  const count = (account: string) => waiting.filter((job) => job.account === account).length

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
      return nextOf(allowed().filter(isHeavy))?.weight ?? 0
    },
    get runnable() {
      const all = Object.values(Object.groupBy([...waiting, ...atWork.keys()], ({ account }) => account))
      return all.reduce((sum, jobs = []) => sum + Math.min(jobs.length, mostOfOne), 0)
    },
    waitingOf: count,
    waiting: () => new Set(waiting.map(({ account }) => account)),
    add(job) {
      const before = waiting.findLastIndex(({ queuedAt }) => queuedAt <= job.queuedAt)
      waiting.splice(before + 1, 0, job)
    },
    take,
    done(job) {
      heavyAtWork -= heavyWeight(job)
      atWork.get(job)?.()
      atWork.delete(job)
    },
    remove(job) {
      const at = waiting.indexOf(job)
      if (at >= 0) waiting.splice(at, 1)
      return at >= 0
    },
    removeAll: () => waiting.splice(0),
  }
}
