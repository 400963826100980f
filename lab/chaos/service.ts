import { tmpdir } from 'node:os'
import type { Database } from 'pixelmill-server/database/database'
import type { Random } from './archives.ts'

/** Kills one process of its kind, chosen at random. It is restarted by itself. @throws Error if there is none now */
export type Strike = (random: Random) => Promise<void>

/** The service under test, however many processes it has. */
export interface Service {
  /** The folder of data and logs. */
  readonly dir: string
  /** The administrator's API key. */
  readonly key: string
  /** Direct access; its statements fail while PostgreSQL is unavailable. */
  readonly database: Database
  /** The possible faults, by their names in the table of results. */
  readonly victims: Readonly<Record<string, Strike>>
  /** The URL for the next request: each API in turn, like a load balancer. */
  url(): string
  /** The files in the store; orphans of dead processes are made old enough for the sweep, or swept. */
  leftFiles(): Promise<readonly string[]>
  stop(keepFiles: boolean): Promise<void>
}

/** The originals of images by URL are below it. */
export const ORIGINALS = tmpdir()

/** Settings of every process of the service under test. */
export const TRIED = {
  HOST: '127.0.0.1',
  BURST_PER_MINUTE: '0',
  RENDERERS: '1',
  // A round must not take minutes on a busy machine.
  BATCH_NICE: '0',
  // Allows the webhook receiver, which is on this machine.
  EGRESS_ALLOW: '127.0.0.1',
  DELIVERY_FOLDERS: ORIGINALS,
} as const

export const isReady = (url: string): Promise<boolean> => fetch(`${url}/readyz`).then(({ ok }) => ok)
