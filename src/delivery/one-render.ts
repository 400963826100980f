import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Instance } from '../metering/instance.ts'

/** Runs a piece of work once for all who ask for it at the same time, in this process and in others. */
export interface OneRender<Value> {
  /**
   * A request that comes while it runs gets its outcome.
   * @param found what another server has made meanwhile
   * @param make without a value of `found`; may reject, for all who wait in this process
   */
  run(
    key: string,
    found: () => Promise<Value | undefined>,
    make: () => Promise<Value>,
  ): { value: Promise<Value>; isFirst: boolean }
  /** What runs in this process. */
  running(key: string): Promise<Value> | undefined
  /** Resolves when nothing runs any more. */
  ended(): Promise<void>
}

/** How often a server asks while another one renders. */
const ASK_MS = [25, 50, 100, 200] as const
/** After which it renders too: more than the longest rendering takes. */
const GIVE_UP_MS = 150_000

/** @param isAlone whether no other server can be rendering: then nothing is locked */
export function oneRender<Value>(
  instance: Pick<Instance, 'tryLock' | 'unlock'>,
  isAlone: () => boolean = () => false,
): OneRender<Value> {
  const running = new Map<string, Promise<Value>>()

  async function amongServers(key: string, found: () => Promise<Value | undefined>, make: () => Promise<Value>): Promise<Value> {
    if (isAlone()) return await make()
    const lock = lockOf(key)
    const began = performance.now()
    for (let tries = 0; !(await instance.tryLock(lock)); tries++) {
      if (performance.now() - began > GIVE_UP_MS) return await make()
      await sleep(ASK_MS[Math.min(tries, ASK_MS.length - 1)])
      const made = await found()
      if (made !== undefined) return made
    }
    try {
      // The other may have ended between the last look and the lock.
      return (await found()) ?? (await make())
    } finally {
      await instance.unlock(lock)
    }
  }
  return {
    run(key, found, make) {
      const other = running.get(key)
      if (other) return { value: other, isFirst: false }
      const value = amongServers(key, found, make).finally(() => running.delete(key))
      running.set(key, value)
      return { value, isFirst: true }
    },
    running: (key) => running.get(key),
    async ended() {
      await Promise.allSettled(running.values())
    },
  }
}

/** 64 bits of a hash, as PostgreSQL numbers its locks. */
const lockOf = (key: string): string => createHash('sha256').update(key).digest().readBigInt64BE().toString()
