import type { FairQueue } from '@pixelmill/engine/concurrency/fair-queue'
import type { Pool } from '@pixelmill/engine/rendering/pool'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Provider } from '../ai/provider.ts'
import type { BatchWatch } from '../batch/batch-events.ts'
import type { OpenDownloads } from '../batch/result-archive.ts'
import type { Database } from '../database/database.ts'
import type { OpenedDelivery } from '../delivery/index.ts'
import type { Instance } from '../metering/instance.ts'
import type { UsageLog } from '../metering/usage-log.ts'
import type { Models } from '../models/models.ts'

/** From a refusal to a picture enlarged by a model. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600]

/** Reads a gauge at a scrape. If it returns undefined, the gauge is omitted. */
export type Read = () => number | undefined | Promise<number | undefined>

/** Creates metrics with our prefix, in one registry. */
export interface Meter {
  counter<Label extends string>(name: string, help: string, labels?: readonly Label[]): Counter<Label>
  /** @param buckets upper bounds in seconds */
  histogram<Label extends string>(
    name: string,
    help: string,
    labels?: readonly Label[],
    buckets?: readonly number[],
  ): Histogram<Label>
  /** With `collect` it is set at each scrape. */
  gauge<Label extends string>(
    name: string,
    help: string,
    labels?: readonly Label[],
    collect?: (gauge: Gauge<Label>) => void | Promise<void>,
  ): Gauge<Label>
  /** A single number without labels. */
  number(name: string, help: string, read: Read): void
}

export function meter(registry: Registry): Meter {
  const registers = [registry]
  const namName = (name: string) => `pixelmill_${name}`
  const gauge: Meter['gauge'] = (name, help, labelNames = [], collect) =>
    new Gauge({
      name: namName(name),
      help,
      labelNames,
      registers,
      ...(collect && {
        collect() {
          return collect(this)
        },
      }),
    })
  return {
    counter: (name, help, labelNames = []) => new Counter({ name: namName(name), help, labelNames, registers }),
    histogram: (name, help, labelNames = [], buckets = SECONDS) =>
      new Histogram({ name: namName(name), help, labelNames, registers, buckets: [...buckets] }),
    gauge,
    number(name, help, read) {
      gauge(name, help, [], async (self) => {
        const value = await read()
        if (value === undefined) self.remove()
        else self.set(value)
      })
    },
  }
}

/** The sources of gauges at a scrape. Gauges of parts that have not started, or do not exist in this role, are omitted. */
export interface Watched {
  readonly pool: Pick<Pool, 'state' | 'atWork'>
  readonly limits: {
    /** Renderer processes of each lane but `model`, and the limit of waiting interactive images. */
    readonly renderers: number
    readonly queue: number
  }
  readonly models: Pick<Models, 'reports'>
  readonly questionQueues: Readonly<Record<Provider, Pick<FairQueue, 'waiting'>>>
  readonly database: Pick<Database, 'pool'>
  readonly instance: Pick<Instance, 'held'>
  readonly usage: Pick<UsageLog, 'waiting'>
  readonly batchWatch: Pick<BatchWatch, 'followers'>
  readonly delivery: Pick<OpenedDelivery, 'memoryBytes'>
  readonly downloads: Pick<OpenDownloads, 'count'>
  /** The folder for files on this machine, and the bytes that files leave free. */
  readonly disk: { readonly dir: string; readonly reserveBytes: number }
}
