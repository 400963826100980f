import { ApiError } from '../contract/api-error.ts'
import type { Pool } from '../rendering/pool.ts'
import type { TaskParams, TaskReport } from '../tasks/index.ts'
import type { FoundModels, ModelsSettings } from './find-models.ts'
import { trialPicture } from './trial-picture.ts'
import { type ModelState, ModelUnavailable, type WatchedModel, watchModel } from './watched-model.ts'

export type ModelName = 'background' | 'superResolution'

/** What operators see of a model. */
export interface ModelReport {
  readonly state: ModelState<unknown>['state']
  readonly sha256: string
  /** What a model of backgrounds was taken to be, once it has been tried. */
  readonly preset?: string
  /** How many times as long a model makes the sides of a picture. */
  readonly factor?: number
  readonly why?: string
}

/** What a study made of a picture. */
interface Made<Name extends 'modelCutOut' | 'modelUpscale'> {
  readonly report: TaskReport<Name>
  readonly file: Buffer | undefined
}

/** The operator's models: those that are set. */
export interface Models {
  /** @throws ModelUnavailable; ApiError what is wrong with the image; the signal's reason once that aborts */
  readonly cutOut?: (
    account: string,
    source: readonly Buffer[],
    format: 'png' | 'webp',
    signal: AbortSignal,
  ) => Promise<Made<'modelCutOut'>>
  /** As `cutOut`; what is undone by it can be done by the filter. */
  readonly upscale?: (
    account: string,
    source: readonly Buffer[],
    wish: Omit<TaskParams<'modelUpscale'>, 'model'>,
    signal: AbortSignal,
  ) => Promise<Made<'modelUpscale'>>
  reports(): Readonly<Partial<Record<ModelName, ModelReport>>>
  /** Gives up trials under way. */
  close(): void
}

/** Tries each model on a small picture, behind everything else that starts. */
export function openModels(
  { background, superResolution }: FoundModels,
  settings: Pick<ModelsSettings, 'MODEL_TIMEOUT_S'>,
  pool: Pool,
  onState: (name: ModelName, report: ModelReport) => void,
): Models {
  const watched = new Map<ModelName, { readonly sha256: string; readonly watch: WatchedModel<Facts> }>()
  const watch = (name: ModelName, sha256: string, trial: (signal: AbortSignal) => Promise<Facts>): WatchedModel<Facts> => {
    const timeoutSeconds = settings.MODEL_TIMEOUT_S
    const model = watchModel(trial, { timeoutSeconds }, (state) => onState(name, reportOf(sha256, state)))
    watched.set(name, { sha256, watch: model })
    return model
  }
  return {
    ...(background && { cutOut: cutting(pool, background.model, (trial) => watch('background', background.sha256, trial)) }),
    ...(superResolution && {
      upscale: enlarging(pool, superResolution.model, (trial) => watch('superResolution', superResolution.sha256, trial)),
    }),
    reports: () => Object.fromEntries([...watched].map(([name, { sha256, watch }]) => [name, reportOf(sha256, watch.state())])),
    close() {
      for (const { watch } of watched.values()) watch.close()
    },
  }
}

/** No account: trials are the server's own. */
const NOBODY = ''

/** What a trial finds out. */
type Facts = Pick<ModelReport, 'preset' | 'factor'>
type Watch = (trial: (signal: AbortSignal) => Promise<Facts>) => WatchedModel<Facts>

const reportOf = (sha256: string, state: ModelState<Facts>): ModelReport => ({
  state: state.state,
  sha256,
  ...(state.state === 'ready' && state.facts),
  ...(state.state === 'failed' && { why: state.why }),
})

function cutting(pool: Pool, model: TaskParams<'modelCutOut'>['model'], watch: Watch): NonNullable<Models['cutOut']> {
  const study: NonNullable<Models['cutOut']> = async (account, source, format, signal) => {
    const { report, files } = await pool.of(account).run('modelCutOut', { format, model }, [source], signal)
    return { report, file: files[0] }
  }
  const watched = watch(async (signal) => {
    const { report } = await study(NOBODY, [trialPicture()], 'png', signal)
    return { ...(report.preset && { preset: report.preset }) }
  })
  return (account, source, format, signal) => watched.use(() => study(account, source, format, signal), signal)
}

/** How much is too much depends on the model: by the filter it may be possible. */
function notTooLarge(error: unknown): never {
  if (error instanceof ApiError && error.code === 'image_too_large')
    throw new ModelUnavailable('the result would be too large', { cause: error })
  throw error
}

function enlarging(pool: Pool, model: TaskParams<'modelUpscale'>['model'], watch: Watch): NonNullable<Models['upscale']> {
  const study: NonNullable<Models['upscale']> = async (account, source, wish, signal) => {
    const asked = pool.of(account).run('modelUpscale', { ...wish, model }, [source], signal)
    const { report, files } = await asked.catch(notTooLarge)
    return { report, file: files[0] }
  }
  const watched = watch(async (signal) => {
    const { report } = await study(NOBODY, [trialPicture()], { intensity: 1, preview: false }, signal)
    return { factor: report.enhanced.width / report.original.width }
  })
  return (account, source, wish, signal) => watched.use(() => study(account, source, wish, signal), signal)
}
