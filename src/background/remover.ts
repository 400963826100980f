import type { Models } from '../models/models.ts'
import { ModelUnavailable } from '../models/watched-model.ts'
import type { Pool } from '../rendering/pool.ts'

/** What is wanted of a remover. */
export interface CutOutWish {
  readonly format: 'png' | 'webp'
  /** 0 to 1: with less confidence no file is wanted. */
  readonly least: number
  /** Who wants it: long work is done for the accounts in turn. */
  readonly account: string
}

/** A picture without its background, with an alpha channel. */
export interface CutOut {
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
  /** 0 to 1. */
  readonly confidence: number
}

/** It was cut out, but with less confidence than was wanted: there is no file. */
export interface Unsure {
  readonly bytes?: undefined
  readonly confidence: number
}

/** The renderers, for the long work of one account. */
export type PoolOf = (account: string) => Pick<Pool, 'run'>

/** One way to cut out a subject. They are asked one after another, the one that costs most first. */
export interface Remover {
  /** As the header X-Background-Removal names it. */
  readonly name: 'external' | 'model' | 'local'
  /**
   * @param source the file, as it was sent
   * @param signal aborted when the caller has left, or the server stops
   * @throws RemoverUnavailable the next remover is asked; AlreadyCutOut only the local one is; ApiError the image's fault, and the
   * signal's reason once that aborts: final
   */
  remove(source: readonly Buffer[], wish: CutOutWish, signal: AbortSignal): Promise<CutOut | Unsure>
  /** Seconds for which it will not be asked, since it failed; 0 when it will be. Absent where nobody leaves it alone. */
  restsSeconds?(): number
}

/** A remover cannot be had at the moment, or gave nothing that could be used. The message is for the log. */
export class RemoverUnavailable extends Error {
  override readonly name = 'RemoverUnavailable'
}

/** The picture came with transparency of its own: nobody is paid for it, the local remover keeps it as it is. */
export class AlreadyCutOut extends Error {
  override readonly name = 'AlreadyCutOut'
}

/** The remover that needs no service and no model: colours, edges and their arrangement tell the subject, in a renderer. */
export const localRemover = (poolOf: PoolOf): Remover => ({
  name: 'local',
  async remove(source, { account, ...wish }, signal) {
    const { report, files } = await poolOf(account).run('background', wish, [source], signal)
    const [bytes] = files
    return bytes ? { ...report, bytes } : { confidence: report.confidence }
  },
})

/** Cuts out by the operator's own model; undefined where there is none. */
export function modelRemover({ cutOut }: Pick<Models, 'cutOut'>): Remover | undefined {
  return (
    cutOut && {
      name: 'model',
      async remove(source, { format, account }, signal) {
        const { report, file } = await cutOut(account, source, format, signal).catch(asUnavailable)
        const { alreadyCutOut, confidence, width, height } = report
        if (alreadyCutOut) throw new AlreadyCutOut('the picture came cut out')
        if (!file) throw new RemoverUnavailable('the model saw no subject')
        return { bytes: file, width, height, confidence }
      },
    }
  )
}

function asUnavailable(error: unknown): never {
  if (error instanceof ModelUnavailable) throw new RemoverUnavailable(`the model: ${error.message}`, { cause: error })
  throw error
}
