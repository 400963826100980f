import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Instance } from '../metering/instance.ts'

/** Runs a piece of work once for all who ask for it at the same time, in this process and in others. */
export interface OneRender<Value> {
  /**
   * A request that comes while it runs gets its outcome.
   * @param findOthers what another server has made meanwhile
   * @param make without a value of `found`; may reject, for all who wait in this process. Its signal aborts when nobody wants the
   * value any more
   * @param client aborts when this caller does not want it any more; without it the work is done in any case
   */
  run(
    key: string,
    findOthers: () => Promise<Value | undefined>,
    make: (client: AbortSignal) => Promise<Value>,
    client: AbortSignal | undefined,
  ): { value: Promise<Value>; isFirst: boolean }
  /** What runs in this process; undefined if nothing does. @param client is called only if something does */
  join(key: string, client: () => AbortSignal): Promise<Value> | undefined
  /** Resolves when nothing runs any more. */
  untilIdle(): Promise<void>
}

/** How often a server asks while another one renders. */
const ASK_MS = [25, 50, 100, 200] as const
/** After which it renders too: more than the longest rendering takes. */
const GIVE_UP_MS = 150_000

/** Work for all who want its value. */
interface Running<Value> {
  readonly value: Promise<Value>
  readonly stop: AbortController
  /** Callers that have not gone. */
  callers: number
}

/** @param isAlone whether no other server can be rendering: then nothing is locked */
export function oneRender<Value>(
  instance: Pick<Instance, 'tryLock' | 'unlock'>,
  isAlone: () => boolean = () => false,
): OneRender<Value> {
  const running = new Map<string, Running<Value>>()

  async function amongServers(
    key: string,
    findOthers: () => Promise<Value | undefined>,
    make: (client: AbortSignal) => Promise<Value>,
    client: AbortSignal,
  ): Promise<Value> {
    if (isAlone()) return await make(client)
    const lock = lockOf(key)
    const began = performance.now()
    for (let tries = 0; !(await instance.tryLock(lock)); tries++) {
      if (performance.now() - began > GIVE_UP_MS) return await make(client)
      await sleep(ASK_MS[Math.min(tries, ASK_MS.length - 1)])
      client.throwIfAborted()
      const othersImage = await findOthers()
      if (othersImage !== undefined) return othersImage
    }
    try {
      // The other may have ended between the last look and the lock.
      return (await findOthers()) ?? (await make(client))
    } finally {
      await instance.unlock(lock)
    }
  }
  function forget(key: string, work: Running<Value>): void {
    if (running.get(key) === work) running.delete(key)
  }
  /** Counts a caller until it goes. The last one takes the work with it; who comes later begins anew. */
  function joinWork(key: string, work: Running<Value>, client: AbortSignal | undefined): Promise<Value> {
    work.callers++
    const leave = () => {
      work.callers--
      if (work.callers > 0) return
      forget(key, work)
      work.stop.abort(client?.reason)
    }
    if (client?.aborted) leave()
    client?.addEventListener('abort', leave, { once: true })
    const stay = () => client?.removeEventListener('abort', leave)
    work.value.then(stay, stay)
    return work.value
  }
  return {
    run(key, findOthers, make, client) {
      const other = running.get(key)
      if (other) return { value: joinWork(key, other, client), isFirst: false }
      const stop = new AbortController()
      const work: Running<Value> = { value: amongServers(key, findOthers, make, stop.signal), stop, callers: 0 }
      const end = () => forget(key, work)
      running.set(key, work)
      work.value.then(end, end)
      return { value: joinWork(key, work, client), isFirst: true }
    },
    join(key, client) {
      const work = running.get(key)
      return work && joinWork(key, work, client())
    },
    async untilIdle() {
      await Promise.allSettled(running.values().map(({ value }) => value))
    },
  }
}

/** 64 bits of a hash, as PostgreSQL numbers its locks. */
const lockOf = (key: string): string => createHash('sha256').update(key).digest().readBigInt64BE().toString()
