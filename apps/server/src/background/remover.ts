import type { Pool } from '@pixelmill/engine/rendering/pool'
import type { WrittenImage } from '@pixelmill/engine/tasks/task'
import type { Models } from '../models/models.ts'
import { ModelUnavailable } from '../models/watched-model.ts'

/** Options of a background removal. */
export interface CutOutOptions {
  readonly format: 'png' | 'webp'
  /** 0 to 1. With less confidence there is no file. */
  readonly least: number
  /** Long work is done for the accounts in turn. */
  readonly account: string
}

/** A picture without its background, with an alpha channel. */
export interface CutOut extends Pick<WrittenImage, 'hdr' | 'contentCredentials'> {
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
  /** 0 to 1. */
  readonly confidence: number
}

/** The subject was cut out with less confidence than required, so there is no file. */
export interface Unsure {
  readonly bytes?: undefined
  readonly confidence: number
}

/** The renderers, for the long work of one account. */
export type PoolOf = (account: string) => Pick<Pool, 'run'>

/** One way to cut out a subject. They are tried one after another, the most expensive first. */
export interface Remover {
  /** As the header X-Background-Removal names it. */
  readonly name: 'external' | 'model' | 'local'
  /**
   * @param source the file, as it was sent
   * @param signal aborted when the caller has left, or the server stops
   * @throws RemoverUnavailable: the next remover is tried; AlreadyCutOut: only the local one is; ApiError for a fault of the image,
   * and the signal's reason once that aborts: nothing else is tried
   */
  remove(source: readonly Buffer[], options: CutOutOptions, signal: AbortSignal): Promise<CutOut | Unsure>
  /** Seconds until it is tried again after failures; 0 when it is not paused. Absent where it is never paused. */
  restsSeconds?(): number
}

/** A remover is not available now, or returned nothing usable. The message is for the log. */
export class RemoverUnavailable extends Error {
  override readonly name = 'RemoverUnavailable'
}

/** The picture has transparency already: no service is paid for it, and the local remover keeps it as it is. */
export class AlreadyCutOut extends Error {
  override readonly name = 'AlreadyCutOut'
}

/** Finds the subject by colours, edges and their position, in a renderer: no service and no model are needed. */
export const localRemover = (poolOf: PoolOf): Remover => ({
  name: 'local',
  async remove(source, { account, ...options }, signal) {
    const { report, files } = await poolOf(account).run('background', options, [source], signal)
    const [bytes] = files
    return bytes ? { ...report, bytes } : { confidence: report.confidence }
  },
})

/** Cuts out by a model of the operator; undefined where there is none. */
export function modelRemover({ cutOut }: Pick<Models, 'cutOut'>): Remover | undefined {
  return (
    cutOut && {
      name: 'model',
      async remove(source, { format, account }, signal) {
        const { report, file } = await cutOut(account, source, format, signal).catch(asUnavailable)
        const { alreadyCutOut, preset: _, ...known } = report
        if (alreadyCutOut) throw new AlreadyCutOut('the picture came cut out')
        if (!file) throw new RemoverUnavailable('the model saw no subject')
        return { bytes: file, ...known }
      },
    }
  )
}

function asUnavailable(error: unknown): never {
  if (error instanceof ModelUnavailable) throw new RemoverUnavailable(`the model: ${error.message}`, { cause: error })
  throw error
}
