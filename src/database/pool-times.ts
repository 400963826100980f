import type pg from 'pg'

/** What a pool is slow or fails at, in seconds. */
export interface PoolTimes {
  onWait(seconds: number): void
  onUse(seconds: number): void
  /** There was no connection to give: the server is away, or all were in use for too long. */
  onFailure(): void
}

type Done = (error: Error | undefined, client: pg.PoolClient | undefined, release: (destroy?: boolean | Error) => void) => void

const secondsSince = (began: number): number => (performance.now() - began) / 1000

/** Times a pool from here on. It asks for connections by a callback, as pg's own query does, or for a promise, as Kysely does. */
export function timePool(pool: pg.Pool, { onWait, onUse, onFailure }: PoolTimes): void {
  const since = new WeakMap<pg.PoolClient, number>()
  pool.on('acquire', (client) => since.set(client, performance.now()))
  pool.on('release', (_error, client) => {
    const began = since.get(client)
    if (began !== undefined) onUse(secondsSince(began))
  })
  const connect = pool.connect.bind(pool) as (done: Done) => void
  const timed = (done: Done) => {
    const began = performance.now()
    connect((error, client, release) => {
      if (error) onFailure()
      else onWait(secondsSince(began))
      done(error, client, release)
    })
  }
  const promised = () =>
    new Promise<pg.PoolClient>((resolve, reject) => timed((error, client) => (client ? resolve(client) : reject(error))))
  pool.connect = ((done?: Done) => (done ? timed(done) : promised())) as typeof pool.connect
}
