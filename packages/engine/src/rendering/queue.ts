import { limits } from '@pixelmill/codecs/contract/limits'
import type { TaskResult } from '../tasks/task.ts'
import type { TaskCall } from '../way-of-a-picture.ts'
import type { Files } from './protocol.ts'

/**
 * Megapixels that an image may have without counting against HEAVY_MEGAPIXELS. A renderer determines the weight from the header
 * and returns heavier images, which then wait here.
 */
export const LIGHT_MEGAPIXELS = 20

/**
 * Megapixels of all heavy images rendered at once: one of the largest. Encoding 80 megapixels as AVIF takes 2.5 GB, so sixteen
 * such images are rendered one after the other, while light images continue in the other renderers.
 */
export const HEAVY_MEGAPIXELS = limits.pixels / 1e6

/**
 * Jobs in fair order of their accounts; jobs of one account are first come, first served. Light jobs may overtake heavy ones that
 * wait for memory; heavy ones keep their order.
 */
export interface JobQueue {
  readonly length: number
  /** Seconds that the oldest waiting job has waited; 0 if none waits. */
  readonly oldestSeconds: number
  /** Megapixels of its running heavy jobs. */
  readonly heavyAtWork: number
  /** Megapixels of the next heavy job; 0 if none waits. */
  readonly heavyNext: number
  /** Jobs, waiting or running, that could run at once with enough renderers. */
  readonly runnable: number
  /** Number of waiting jobs of an account. */
  waitingOf(account: string): number
  /** Number of accounts with waiting jobs. */
  waiting(): Iterable<string>
  /** A job that was running already goes before all later ones. */
  add(job: Job): void
  /** Takes the next job that may start now, and counts its weight and its time until it is done. */
  take(): Job | undefined
  finish(job: Job): void
  remove(job: Job): boolean
  removeAll(): readonly Job[]
}

export interface JobQueueSettings {
  /** Megapixels of heavy jobs in other queues: HEAVY_MEGAPIXELS is a limit for all queues together. */
  heavyElsewhere?(): number
  /** Jobs of one account that may run at once. */
  readonly mostOfOne?: number
  /** The fair order of accounts; without it jobs are served in order of arrival. */
  readonly shares?: Shares
}

export function jobQueue({
  heavyElsewhere = () => 0,
  mostOfOne = Number.POSITIVE_INFINITY,
  shares,
}: JobQueueSettings = {}): JobQueue {
  /** In order of arrival. */
  const waiting: Job[] = []
  /** Functions to call when each job is done. */
  const atWork = new Map<Job, () => void>()
  let heavyAtWork = 0
  const heavyWeight = ({ weight }: Job) => (weight <= LIGHT_MEGAPIXELS ? 0 : weight)
  const isHeavy = (job: Job) => heavyWeight(job) > 0
  const fits = (job: Job) => !isHeavy(job) || heavyElsewhere() + heavyAtWork + job.weight <= HEAVY_MEGAPIXELS
  const atWorkOf = (account: string) => shares?.atWork(account) ?? 0

  /** First the account that has used least; among equals the one with fewest running jobs, then the one that came first. */
  function nextOf(jobs: readonly Job[]): Job | undefined {
    if (!shares || jobs.length < 2) return jobs[0]
    const usage = new Map(jobs.map(({ account }) => [account, shares.usedBy(account)]))
    const before = (one: Job, other: Job) =>
      (usage.get(one.account) ?? 0) - (usage.get(other.account) ?? 0) || atWorkOf(one.account) - atWorkOf(other.account)
    return jobs.reduce((first, job) => (before(job, first) < 0 ? job : first))
  }
  const eligibleJobs = () => waiting.filter(({ account }) => atWorkOf(account) < mostOfOne)

  function take(): Job | undefined {
    const jobs = eligibleJobs()
    const heavy = nextOf(jobs.filter(isHeavy))
    const job = nextOf(jobs.filter((one) => (!isHeavy(one) || one === heavy) && fits(one)))
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
      return nextOf(eligibleJobs().filter(isHeavy))?.weight ?? 0
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
    finish(job) {
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

/** Rejects a job whose clients have all gone, so that it is not queued again. */
export function rejectIfUnwanted({ signal, queueSignal, reject }: Job): boolean {
  const abortedSignal = [signal, queueSignal].find((one) => one?.aborted)
  if (abortedSignal) reject(abortedSignal.reason)
  return abortedSignal !== undefined
}

/** The outcome of a job. */
interface JobOver {
  readonly queuedAt: number
  readonly beganAt: number
  readonly endedAt: number
  readonly task: string
  /** Of the renderer that ended it. */
  readonly lane: string
  /** As in RenderReport of lane.ts. */
  readonly outcome: string
}

/** An image that waits for a renderer or is in one. */
export interface Job extends TaskCall {
  /** Its account; empty if no account's share is counted. */
  readonly account: string
  readonly files: Files
  readonly signal: AbortSignal
  /** It leaves the queue when this aborts, too; what a renderer has begun is finished. */
  readonly queueSignal: AbortSignal | undefined
  /** performance.now() when it was queued. */
  readonly queuedAt: number
  /** Megapixels, once a renderer has returned the job: heavy, or with a time limit by megapixels. */
  weight: number
  resolve(result: TaskResult): void
  reject(error: unknown): void
  /** The job has ended; times are those of performance.now(). */
  readonly onOver?: ((over: JobOver) => void) | undefined
}

/**
 * The fair order of accounts that share renderers: start-time fair queueing (Goyal, Vin and Cheng, 1996), in seconds of a
 * renderer.
 * Each account has a tag that grows by the actual time of its images, including timeouts and crashes. An account that was idle
 * gets the tag at which the last image started: it is next, but idle time gives it no credit. An account whose image took a
 * minute waits until the others, as long as they have work, have had a minute each.
 */
interface Shares {
  /** Seconds, including running images: the account with the least is next. */
  usedBy(account: string): number
  /** Running images of the account. */
  atWork(account: string): number
  /** An image of the account has a renderer. Call the returned function when it has finished. */
  begin(account: string): () => void
}

interface Account {
  tag: number
  /** Start times of its running images, by the clock. */
  readonly began: Set<{ readonly at: number }>
}

/** Accounts whose tags are kept; beyond it, accounts without a running image are forgotten. */
const MOST_ACCOUNTS = 1_000

/** @param now seconds on a monotonic clock */
export function accountShares(now: () => number = () => performance.now() / 1000): Shares {
  const accounts = new Map<string, Account>()
  /** The tag of an account without recent usage. */
  let start = 0

  function usedBy(name: string): number {
    const account = accounts.get(name)
    const moment = now()
    const running = [...(account?.began ?? [])].reduce((sum, { at }) => sum + moment - at, 0)
    return Math.max(start, account?.tag ?? 0) + running
  }
  function forget(): void {
    for (const [name, { began }] of accounts) if (began.size === 0) accounts.delete(name)
  }
  return {
    usedBy,
    atWork: (name) => accounts.get(name)?.began.size ?? 0,
    begin(name) {
      if (accounts.size >= MOST_ACCOUNTS) forget()
      const account = accounts.get(name) ?? { tag: start, began: new Set() }
      accounts.set(name, account)
      account.tag = Math.max(start, account.tag)
      start = Math.max(start, usedBy(name))
      const image = { at: now() }
      account.began.add(image)
      return () => {
        if (account.began.delete(image)) account.tag += now() - image.at
      }
    },
  }
}
