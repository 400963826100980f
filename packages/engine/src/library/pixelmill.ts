import { recognise } from '@pixelmill/codecs'
import { acceptedBy } from '@pixelmill/codecs/accept'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { fairQueue } from '../concurrency/fair-queue.ts'
import { type Engine, startEngine } from '../engine.ts'
import { readCredential } from '../provenance/credential.ts'
import type { WorkRecipe } from '../recipe/plan.ts'
import type { Finishers } from '../rendering/finishers.ts'
import { confineRenderers } from '../rendering/sandbox/renderers.ts'
import { ofForm } from '../tasks/operation.ts'
import { writtenImages } from '../tasks/task.ts'
import type { AcceptOptions, CallOptions, CutOutOptions, CutOutPicture, Picture, Pixelmill, RenderOptions } from './calls.ts'
import { cropsAround, cropsRequest } from './crops.ts'
import { cutOut, cutOutRequest } from './cut-out.ts'
import { type Isolation, isolationOf, requireIsolation } from './isolation.ts'
import type { BackgroundModel, PixelmillOptions } from './options.ts'
import { convertRequest, infoRequest, optimizeRequest, renderRequest } from './requests.ts'
import { readOptions } from './settings.ts'
import { isStream, readPicture, readSource, type Source } from './source.ts'
import type {
  ConvertOptions,
  Format,
  ImageInfo,
  InfoField,
  OptimizeOptions,
  Recipe,
  SuggestCropsOptions,
  SuggestedCrops,
} from './types.ts'

/** The engine was closed before this call. */
export class EngineClosed extends Error {
  override name = 'EngineClosed' as const

  constructor() {
    super('This engine was closed.')
  }
}

/** A renderer may be killed while it starts, where memory is short; more in a row do not start at all. */
const MOST_START_FAULTS = 3

/**
 * Starts an engine: nothing is printed, no signal is handled, and no environment is read. One renderer starts at once, others when
 * several pictures are converted; all end after half a minute without one.
 * @throws StartError for an option that is not valid, or where required isolation is not possible
 */
export async function openPixelmill(options: PixelmillOptions = {}): Promise<Pixelmill> {
  const settings = readOptions(options)
  const { backgroundModel } = settings
  const heic = settings.heic ? 'on' : 'off'
  const renderers = await confineRenderers(
    {
      HEIC: heic,
      HEIC_WRITER: settings.heicWriter,
      RENDER_MEMORY_MB: settings.memoryMegabytes,
      RENDER_TIMEOUT_S: settings.timeoutSeconds,
      programPath: settings.programPath,
      startAtOnce: 1,
      triesProgramsLater: settings.heicWriter !== 'heif-enc',
    },
    backgroundModel?.grants,
  )
  using cleanup = new DisposableStack()
  cleanup.defer(() => renderers.endUnused())
  const isolation = isolationOf(renderers.confinement)
  if (settings.isolation === 'required') requireIsolation(isolation)
  const { c2pa } = settings
  const engine = startEngine(
    {
      ...renderers,
      renderers: settings.renderers,
      // One lane, without the priorities and fair shares of a server.
      syncKept: 0,
      queue: 0,
      timeoutSeconds: settings.timeoutSeconds,
      backgroundNice: 0,
      credential: c2pa && readCredential(c2pa.certificate, c2pa.privateKey, 'c2pa.certificate', 'c2pa.privateKey'),
    },
    {
      onRender: () => {},
      onRestart: () => {},
      onUnsigned: (error) => settings.onUnsigned?.(error),
      onStartFault(detail, inARow) {
        if (inARow >= MOST_START_FAULTS) engine.pool.fail(new StartError(`Renderers do not start: ${errorLine(detail)}`))
      },
    },
  )
  engine.pool.wake('background')
  cleanup.move()
  return new LocalPixelmill(engine, renderers.finishers, { ...settings, heic, isolation })
}

/** Of what a renderer wrote before it ended, the line that names the error. */
function errorLine(detail: string): string {
  const lines = detail
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.find((line) => /\w*Error\b.*: /.test(line)) ?? lines.at(-1) ?? 'they said nothing.'
}

/** Sources that are read while the renderers are busy, for each of them: the next one is in memory when it gets idle. */
const READ_AHEAD = 2

/** Pictures at the renderer of models, or next. */
const MODEL_PICTURES = 2

/** Whether HEIC may be written, or a JPEG packed into JPEG XL. */
const mayNeedPrograms = ({ outputs }: WorkRecipe, source: Buffer): boolean =>
  recognise(source)?.name === 'heic' || outputs.some(({ format }) => format === 'jxl' || format === 'auto')

interface MillSettings {
  readonly renderers: number
  readonly heic: 'on' | 'off'
  readonly isolation: Isolation
  readonly backgroundModel?: BackgroundModel | undefined
}

class LocalPixelmill implements Pixelmill {
  readonly isolation: Isolation
  readonly #engine: Engine
  readonly #finishers: Finishers
  readonly #heic: 'on' | 'off'
  /** Limits the sources in memory, not the renderers, of which there are fewer. */
  readonly #queue
  readonly #backgroundModel
  /** There is one renderer of models, for which only a few pictures may wait. */
  readonly #modelQueue = fairQueue(MODEL_PICTURES, { mostOf: () => Number.POSITIVE_INFINITY })
  readonly #running = new Set<Promise<unknown>>()
  #closing: Promise<void> | undefined
  /** Ends what is read when the engine is closed. */
  readonly #closeController = new AbortController()

  constructor(engine: Engine, finishers: Finishers, { renderers, heic, isolation, backgroundModel }: MillSettings) {
    this.#engine = engine
    this.#finishers = finishers
    this.#heic = heic
    this.#backgroundModel = backgroundModel?.model
    this.isolation = isolation
    this.#queue = fairQueue(renderers * READ_AHEAD, { mostOf: () => Number.POSITIVE_INFINITY })
  }

  async convert(
    source: Source,
    { signal, accept, ...options }: ConvertOptions & CallOptions & AcceptOptions = {},
  ): Promise<Picture> {
    return await this.#one(source, convertRequest(options), { signal, accept })
  }

  async optimize(source: Source, { signal, ...options }: OptimizeOptions & CallOptions = {}): Promise<Picture> {
    return await this.#one(source, optimizeRequest(options), { signal })
  }

  async render(source: Source, recipe: Recipe, { files = {}, ...options }: RenderOptions = {}): Promise<readonly Picture[]> {
    return await this.#pictures(source, renderRequest(recipe, Object.keys(files)), options, Object.values(files))
  }

  async info(
    source: Source,
    { signal, fields }: CallOptions & { readonly fields?: readonly InfoField[] | undefined } = {},
  ): Promise<ImageInfo> {
    const params = { fields: infoRequest(fields) }
    return await this.#turn([source], signal, async ([bytes], own) => {
      return (await this.#engine.pool.run('info', params, [[bytes]], own, 'background')).report
    })
  }

  async suggestCrops(source: Source, { signal, ...options }: SuggestCropsOptions & CallOptions = {}): Promise<SuggestedCrops> {
    const request = cropsRequest(options)
    return await this.#turn([source], signal, async ([bytes], own) => {
      return cropsAround(await this.#engine.pool.run('focus', {}, [[bytes]], own, 'background'), request)
    })
  }

  async removeBackground(source: Source, { signal, ...options }: CutOutOptions & CallOptions = {}): Promise<CutOutPicture> {
    const request = cutOutRequest(options)
    const model = this.#backgroundModel
    return await this.#turn([source], signal, async ([bytes], own) => {
      const work = () => cutOut(this.#engine.pool, model, bytes, request, own)
      const { codec, ...facts } = await (model ? this.#modelQueue.run('', own, work) : work())
      return {
        bytes: facts.bytes,
        format: codec.name satisfies Format,
        type: codec.mime,
        extension: codec.extension,
        width: facts.width,
        height: facts.height,
        confidence: facts.confidence,
        remover: facts.remover,
        ...(facts.hdr && { hdr: facts.hdr }),
        ...(facts.contentCredentials && { contentCredentials: facts.contentCredentials }),
      }
    })
  }

  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #end(): Promise<void> {
    this.#closeController.abort(new EngineClosed())
    await Promise.allSettled(this.#running)
    await this.#engine.close()
  }

  /** The picture of a request that names fields of its own in place of places in a recipe. */
  async #one(source: Source, request: ReturnType<typeof convertRequest>, options: CallOptions & AcceptOptions): Promise<Picture> {
    const [picture] = await this.#pictures(source, request, options, []).catch((error: unknown) => {
      throw ofForm(error)
    })
    if (!picture) throw new Error('a recipe of one output made no picture')
    return picture
  }

  async #pictures(
    source: Source,
    { recipe, files }: ReturnType<typeof renderRequest>,
    { signal, accept }: CallOptions & AcceptOptions,
    others: readonly Source[],
  ): Promise<readonly Picture[]> {
    return await this.#turn([source, ...others], signal, async ([bytes, ...further], own) => {
      if (mayNeedPrograms(recipe, bytes)) await this.#finishers.trial()
      const params = { recipe, files: [...files], ...acceptedBy(accept) }
      const sources = [bytes, ...further].map((each) => [each])
      const images = writtenImages(await this.#engine.pool.run('recipe', params, sources, own, 'background'))
      return images.map(({ codec, ...image }, index) => ({
        ...image,
        name: recipe.outputs[index]?.name ?? 'image',
        format: codec.name satisfies Format,
        type: codec.mime,
        extension: codec.extension,
      }))
    })
  }

  /**
   * Calls begin in their order; `close` waits for those that have their sources. A stream is read before, since it may take any time.
   * @param sources the picture first
   */
  async #turn<Result>(
    [picture, ...others]: readonly [Source, ...Source[]],
    signal: AbortSignal | undefined,
    work: (bytes: readonly [Buffer, ...Buffer[]], signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    if (this.#closing) throw new EngineClosed()
    const { signal: closeSignal } = this.#closeController
    const own = signal ?? new AbortController().signal
    const either = AbortSignal.any([own, closeSignal])
    const read = async (): Promise<readonly [Buffer, ...Buffer[]]> => {
      const bytes = await readPicture(picture, this.#heic, either)
      return [bytes, ...(await Promise.all(others.map((other) => readSource(other, either))))]
    }
    const streams = [picture, ...others].some(isStream) ? await read() : undefined
    if (this.#closing) throw new EngineClosed()
    const result = this.#queue.run('', own, async () => work(streams ?? (await read()), own))
    const ending = result.catch(() => undefined).finally(() => this.#running.delete(ending))
    this.#running.add(ending)
    try {
      return await result
    } catch (error) {
      // A renderer that is ended for it says nothing of the signal.
      own.throwIfAborted()
      throw error
    }
  }
}
