import { randomUUID } from 'node:crypto'
import { CodedError, invalidParam } from '@pixelmill/codecs/contract/image-errors'
import type { Pixelmill } from '@pixelmill/engine/library/calls'
import { InvalidArgumentError } from 'commander'
import { placesOf } from '../convert/places.ts'
import { runConversion } from '../convert/run.ts'
import { engineOf } from '../engine/local.ts'
import type { Environment } from '../environment.ts'
import { type ReportedError, RunFailure } from '../failure.ts'
import { defaultName, resultName } from '../files/result-name.ts'
import type { Work } from '../work.ts'

/** Conversions of folders, which go on while the agent does something else. */
export interface LocalBatches extends AsyncDisposable {
  /** @throws ImageError invalid_params if nothing can start */
  begin(folder: string, out: string, work: Work): Promise<object>
  /** @throws BatchNotFound */
  status(id: string): object
}

/** What `batch_status` answers. */
interface Batch {
  readonly id: string
  readonly out: string
  state: 'processing' | 'completed' | 'failed'
  total: number | null
  done: number
  unchanged: number
  failed: number
  /** The faults of the first images that failed. */
  readonly errors: { readonly source: string; readonly error: ReportedError }[]
  reason?: string
}

class BatchNotFound extends CodedError<'batch_not_found'> {
  override name = 'BatchNotFound' as const

  constructor() {
    super('batch_not_found', 'There is no such batch; check the id, and that it was begun by this server.')
  }
}

/** Enough for an agent to see what is wrong. */
const MOST_ERRORS = 20

export function localBatches(mill: Pixelmill, environment: Environment): LocalBatches {
  const batches = new Map<string, Batch>()
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  const jobs = environment.rendering.RENDERERS

  async function run(batch: Batch, folder: string, ownWork: Work, resources: AsyncDisposableStack): Promise<void> {
    await using _untilEnd = resources
    try {
      const difference = ownWork.recipe.outputs.length > 1 ? 'output' : 'none'
      const engine = engineOf(mill, ownWork, jobs)
      for (const { sources, inPlace, open } of await placesOf([folder], batch.out, environment, resources)) {
        batch.total = (await sources.count?.()) ?? null
        const name = resultName(defaultName(difference), difference)
        const conversion = { ...(await open()), sources, engine, work: ownWork, name, overwrite: false, inPlace }
        await runConversion(conversion, ({ status, source, error }) => count(batch, status, source, error), stopping.signal)
      }
      batch.state = 'completed'
    } catch (error) {
      batch.state = 'failed'
      batch.reason = error instanceof RunFailure || error instanceof InvalidArgumentError ? error.message : 'It was interrupted.'
      if (!(error instanceof RunFailure || error instanceof InvalidArgumentError || stopping.signal.aborted)) throw error
    }
  }
  return {
    async begin(folder, out, ownWork) {
      if (folder === out) throw invalidParam('out', 'custom', 'Must be another folder than the one of the images.')
      const batch: Batch = {
        id: randomUUID(),
        out,
        state: 'processing',
        total: null,
        done: 0,
        unchanged: 0,
        failed: 0,
        errors: [],
      }
      batches.set(batch.id, batch)
      const work = run(batch, folder, ownWork, new AsyncDisposableStack()).finally(() => running.delete(work))
      running.add(work)
      return { id: batch.id, state: batch.state }
    },
    status(id) {
      const batch = batches.get(id)
      if (!batch) throw new BatchNotFound()
      return batch
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await Promise.allSettled(running)
    },
  }
}

function count(batch: Batch, status: 'done' | 'unchanged' | 'failed', source: string, error: ReportedError | undefined): void {
  batch[status]++
  if (error && batch.errors.length < MOST_ERRORS) batch.errors.push({ source, error })
}
