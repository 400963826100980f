import type { Database } from '../../src/database/database.ts'
import type { Random } from './archives.ts'

/** Does one thing of its kind away, chosen by chance. What is gone comes back by itself. @throws Error when there is none now */
export type Strike = (random: Random) => Promise<void>

/** What is tried, however many processes it is made of. */
export interface Service {
  /** Of data and logs. */
  readonly dir: string
  /** Of the administrator. */
  readonly key: string
  /** From outside; its statements fail while PostgreSQL is away. */
  readonly database: Database
  /** What can be done to it, by what the table of a run says. */
  readonly victims: Readonly<Record<string, Strike>>
  /** Where to send the next request: to each API in turn, as a proxy in front of them does. */
  url(): string
  /** The files in the store; those that a process left that died are made ready for the sweep, or swept. */
  leftFiles(): Promise<readonly string[]>
  stop(keepFiles: boolean): Promise<void>
}

/** Settings of every process of a service that is tried. */
export const TRIED = {
  HOST: '127.0.0.1',
  BURST_PER_MINUTE: '0',
  RENDERERS: '1',
  // So that on a machine that has other things to do a round does not take minutes.
  BATCH_NICE: '0',
  // Of the receiver of webhooks, which is on this machine.
  EGRESS_ALLOW: '127.0.0.1',
} as const

export const isReady = (url: string): Promise<boolean> => fetch(`${url}/readyz`).then(({ ok }) => ok)
