import type { Pool } from '@pixelmill/engine/rendering/pool'
import type { TaskParams, TaskReport } from '@pixelmill/engine/tasks/index'
import { trialPicture } from '@pixelmill/engine/tasks/trial-picture'
import type { FoundModels, ModelsSettings } from 'pixelmill/models/find-models'
import { isRefusal } from '../contract/api-error.ts'
import { type ModelState, ModelUnavailable, type WatchedModel, watchModel } from './watched-model.ts'

export type ModelName = 'background' | 'superResolution'

/** The status of a model, for operators. */
export interface ModelReport {
  readonly state: ModelState<unknown>['state']
  readonly sha256: string
  /** The preset that a background model is used with, after its trial. */
  readonly preset?: string
  /** The factor by which a model enlarges width and height. */
  readonly factor?: number
  readonly why?: string
}

/** The result of a task. */
interface Made<Name extends 'modelCutOut' | 'modelUpscale'> {
  readonly report: TaskReport<Name>
  readonly file: Buffer | undefined
}

/** The operator's models, as far as they are configured. */
export interface Models {
  /** @throws ModelUnavailable; ApiError if the image is at fault; the signal's reason once that aborts */
  readonly cutOut?: (
    account: string,
    source: readonly Buffer[],
    format: 'png' | 'webp',
    signal: AbortSignal,
  ) => Promise<Made<'modelCutOut'>>
  /** As `cutOut`; on ModelUnavailable the filters can do it instead. */
  readonly upscale?: (
    account: string,
    source: readonly Buffer[],
    options: Omit<TaskParams<'modelUpscale'>, 'model'>,
    signal: AbortSignal,
  ) => Promise<Made<'modelUpscale'>>
  reports(): Readonly<Partial<Record<ModelName, ModelReport>>>
  /** Aborts running trials. */
  close(): void
}

/** Opens the models that were found, and starts a trial of each on a small picture in the background. */
export function openModels(
  { background, superResolution }: FoundModels,
  settings: Pick<ModelsSettings, 'MODEL_TIMEOUT_S'>,
  pool: Pool,
  onState: (name: ModelName, report: ModelReport) => void,
): Models {
  const watchedModels = new Map<ModelName, { readonly sha256: string; readonly watch: WatchedModel<Facts> }>()
  const watch = (name: ModelName, sha256: string, trial: (signal: AbortSignal) => Promise<Facts>): WatchedModel<Facts> => {
    const timeoutSeconds = settings.MODEL_TIMEOUT_S
    const model = watchModel(trial, { timeoutSeconds }, (state) => onState(name, reportOf(sha256, state)))
    watchedModels.set(name, { sha256, watch: model })
    return model
  }
  return {
    ...(background && { cutOut: cutting(pool, background.model, (trial) => watch('background', background.sha256, trial)) }),
    ...(superResolution && {
      upscale: enlarging(pool, superResolution.model, (trial) => watch('superResolution', superResolution.sha256, trial)),
    }),
    reports: () =>
      Object.fromEntries([...watchedModels].map(([name, { sha256, watch }]) => [name, reportOf(sha256, watch.state())])),
    close() {
      for (const { watch } of watchedModels.values()) watch.close()
    },
  }
}

/** Trials belong to no account. */
const NO_ACCOUNT = ''

/** What a trial finds out about a model. */
type Facts = Pick<ModelReport, 'preset' | 'factor'>
type Watch = (trial: (signal: AbortSignal) => Promise<Facts>) => WatchedModel<Facts>

const reportOf = (sha256: string, state: ModelState<Facts>): ModelReport => ({
  state: state.state,
  sha256,
  ...(state.state === 'ready' && state.facts),
  ...(state.state === 'failed' && { why: state.why }),
})

function cutting(pool: Pool, model: TaskParams<'modelCutOut'>['model'], watch: Watch): NonNullable<Models['cutOut']> {
  const run: NonNullable<Models['cutOut']> = async (account, source, format, signal) => {
    const { report, files } = await pool.of(account).run('modelCutOut', { format, model }, [source], signal)
    return { report, file: files[0] }
  }
  const watchedModels = watch(async (signal) => {
    const { report } = await run(NO_ACCOUNT, [trialPicture()], 'png', signal)
    return { ...(report.preset && { preset: report.preset }) }
  })
  return (account, source, format, signal) => watchedModels.use(() => run(account, source, format, signal), signal)
}

/** The size limit depends on the model: the filters may be able to do it. */
function notTooLarge(error: unknown): never {
  if (isRefusal(error) && error.code === 'image_too_large')
    throw new ModelUnavailable('the result would be too large', { cause: error })
  throw error
}

function enlarging(pool: Pool, model: TaskParams<'modelUpscale'>['model'], watch: Watch): NonNullable<Models['upscale']> {
  const run: NonNullable<Models['upscale']> = async (account, source, options, signal) => {
    const running = pool.of(account).run('modelUpscale', { ...options, model }, [source], signal)
    const { report, files } = await running.catch(notTooLarge)
    return { report, file: files[0] }
  }
  const watchedModels = watch(async (signal) => {
    const { report } = await run(NO_ACCOUNT, [trialPicture()], { intensity: 1, preview: false }, signal)
    return { factor: report.enhanced.width / report.original.width }
  })
  return (account, source, options, signal) => watchedModels.use(() => run(account, source, options, signal), signal)
}
