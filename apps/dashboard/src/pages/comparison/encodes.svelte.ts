import { untrack } from 'svelte'
import { type ApiFailure, asFailure, isAbort } from '../../api/api-failure.ts'
import { type CompressSettings, fingerprintOf as keyOf, requestOf } from '../compress/settings.ts'
import { type Preview, previewOf } from '../playground/preview.ts'
import { sendImage } from '../playground/send-image.ts'
import { decode, type ShownPicture } from '../playground/shown-picture.ts'
import { type Estimate, Estimator } from './estimator.ts'
import { heatPicture } from './score/heat-picture.ts'
import { Scorer } from './score/scorer.ts'

/** The bytes that the service made of a picture. */
export interface EncodedFile {
  readonly blob: Blob
  readonly name: string
  readonly format: string
}

/** What the service made of the picture with some settings. */
export interface Encode extends EncodedFile {
  readonly settings: CompressSettings
  /** An object URL of the bytes. */
  readonly url: string
  /** Undefined where this browser cannot show the format. */
  readonly picture: ShownPicture | undefined
  /** SSIMULACRA2; undefined where neither the service nor the browser has compared it. */
  readonly score: number | undefined
  readonly heat: ShownPicture | undefined
  /** The time of its call; undefined of one that was made before. */
  readonly ms: number | undefined
}

/** Settings rest this long before they are encoded, which counts one call. */
const REST_MS = 500
/** Encodes that are kept: to return to one costs nothing. */
const MOST_ENCODES = 16

/**
 * The encodes of one picture. While settings change, estimates follow, one request after the other and not counted; soon after the last
 * change the picture itself is encoded. It shares the life of the component that creates it.
 */
export class Encodes {
  readonly original: File
  settings = $state.raw() as CompressSettings
  /** The original; undefined until it is decoded. */
  picture = $state.raw<Preview>()
  failure = $state.raw<ApiFailure>()
  #encodes = $state.raw<readonly Encode[]>([])
  #estimate = $state.raw<Estimate>()
  /** The encode that was shown when the settings began to change. */
  #before = $state.raw<Encode>()
  readonly #onsettle: (encode: Encode) => void
  readonly #scorer = new Scorer()
  readonly #ending = new AbortController()
  #estimator: Estimator | undefined
  #rest: ReturnType<typeof setTimeout> | undefined
  #encoding: AbortController | undefined
  #isEstimating = false

  /** The encode of the settings, once there is one. */
  readonly encode = $derived.by(() => this.encodeOf(this.settings))
  /** Until there is one: what the settings, or the last ones that were estimated, will give. */
  readonly estimate = $derived(this.encode ? undefined : this.#estimate)
  /** What is shown until there is an encode of the settings: the estimate, and before the first one the encode before. */
  readonly standIn = $derived(this.estimate ?? (this.#before && { ...this.#before, bytes: this.#before.blob.size }))
  /** An encode is on its way. */
  readonly isBusy = $derived(!this.encode && !this.failure)

  /** @param onsettle is told of each encode of settings that have come to rest */
  constructor(original: File, first: EncodedFile | undefined, settings: CompressSettings, onsettle: (encode: Encode) => void) {
    this.original = original
    this.settings = settings
    this.#onsettle = onsettle
    $effect(() => {
      untrack(() => void this.#open(first))
      return () => this.#close()
    })
  }

  encodeOf(settings: CompressSettings): Encode | undefined {
    const key = keyOf(settings)
    return this.#encodes.find((encode) => keyOf(encode.settings) === key)
  }

  /** Other settings are wanted. */
  change(settings: CompressSettings): void {
    const isSame = keyOf(settings) === keyOf(this.settings)
    if (!isSame) this.#stopEncoding()
    if (!isSame && this.encode) {
      this.#before = this.encode
      this.#show(undefined)
    }
    this.settings = settings
    if (isSame) return
    this.failure = undefined
    const encode = this.encode
    if (encode) {
      this.#onsettle(encode)
      return
    }
    this.#rest = setTimeout(() => void this.#settle(settings), REST_MS)
    void this.#followSettings()
  }

  readonly retry = (): void => {
    this.failure = undefined
    void (this.picture ? this.#settle(this.settings) : this.#open(undefined))
  }

  /** An encode with these settings, which costs a call unless there was one. @throws ApiFailure; AbortError */
  async make(settings: CompressSettings, signal: AbortSignal): Promise<Encode> {
    const cachedEncode = this.encodeOf(settings)
    if (cachedEncode) return cachedEncode
    const { path, params } = requestOf(settings)
    const { blob, fileName, ms, headers } = await sendImage(path, { image: this.original }, params, signal)
    const name = withExtensionOf(this.original.name, fileName)
    const scoreText = headers.get('x-quality-score')
    const score = scoreText === null ? undefined : Number(scoreText)
    return this.#keep({ blob, name, format: formatOf(blob) }, { settings, score, ms })
  }

  async #open(first: EncodedFile | undefined): Promise<void> {
    const { settings } = this
    try {
      this.picture = await previewOf(this.original, this.#ending.signal)
      this.#estimator = new Estimator(this.picture, this.original.type, this.#scorer)
      if (!first) return await this.#settle(settings)
      await this.#keep(first, { settings, score: undefined, ms: undefined })
      await this.#calibrate(settings)
    } catch (error) {
      if (!this.#ending.signal.aborted) this.failure = asFailure(error)
    }
  }

  /** Shows an encode and compares it with the original. */
  async #keep(file: EncodedFile, { settings, score, ms }: Pick<Encode, 'settings' | 'score' | 'ms'>): Promise<Encode> {
    const picture = await decode(file.blob)
    // What stands for an original that this browser cannot show was made from it: nothing is compared with that.
    const original = this.picture?.isConverted ? undefined : this.picture
    const likeness = picture && original && (await this.#scorer.compare(original, picture))
    const encode: Encode = {
      ...file,
      settings,
      url: URL.createObjectURL(file.blob),
      picture,
      score: score ?? likeness?.score,
      heat: likeness && heatPicture(likeness, 1),
      ms,
    }
    if (this.#ending.signal.aborted) release(encode)
    else this.#add(encode)
    return encode
  }

  #add(encode: Encode): void {
    const encodes = [...this.#encodes.filter(({ settings }) => keyOf(settings) !== keyOf(encode.settings)), encode]
    for (const oldest of encodes.slice(0, -MOST_ENCODES)) release(oldest)
    this.#encodes = encodes.slice(-MOST_ENCODES)
    this.#estimator?.calibrate(encode.settings, encode.blob, encode.score)
  }

  async #settle(settings: CompressSettings): Promise<void> {
    this.#stopEncoding()
    const mine = new AbortController()
    this.#encoding = mine
    try {
      const encode = await this.make(settings, mine.signal)
      if (this.#encoding !== mine) return
      this.#onsettle(encode)
      await this.#calibrate(settings)
    } catch (error) {
      if (this.#encoding === mine && !isAbort(error)) this.failure = asFailure(error)
    }
  }

  /** The small copy is encoded as the picture was, so that the next estimates are right. Without that they are only less exact. */
  async #calibrate(settings: CompressSettings): Promise<void> {
    if (this.#estimator?.isCalibrated(settings)) return
    const estimate = await this.#estimateOf(settings).catch(() => undefined)
    if (estimate) release(estimate)
  }

  #stopEncoding(): void {
    clearTimeout(this.#rest)
    this.#encoding?.abort()
    this.#encoding = undefined
  }

  /** One estimate at a time; after it the next, if the settings have changed meanwhile. */
  async #followSettings(): Promise<void> {
    if (this.#isEstimating) return
    this.#isEstimating = true
    let lastKey: string | undefined
    while (!this.encode && lastKey !== keyOf(this.settings) && !this.#ending.signal.aborted) {
      lastKey = keyOf(this.settings)
      // Without an estimate the numbers wait for the encode, which says what is wrong.
      const estimate = await this.#estimateOf(this.settings).catch(() => undefined)
      if (estimate) this.#show(estimate)
    }
    this.#isEstimating = false
  }

  async #estimateOf(settings: CompressSettings): Promise<Estimate | undefined> {
    return this.#estimator?.estimate(settings, this.#encodes.at(-1)?.blob.type, this.#ending.signal)
  }

  #show(estimate: Estimate | undefined): void {
    if (this.#estimate) release(this.#estimate)
    this.#estimate = estimate
  }

  #close(): void {
    this.#ending.abort()
    this.#stopEncoding()
    this.#scorer.close()
    this.#estimator?.close()
    for (const encode of this.#encodes) release(encode)
    if (this.#estimate) release(this.#estimate)
    if (this.picture) URL.revokeObjectURL(this.picture.url)
  }
}

function release({ picture, heat, url }: Pick<Encode, 'picture' | 'heat'> & Partial<Pick<Encode, 'url'>>): void {
  for (const each of [picture?.url, heat?.url, url]) if (each !== undefined) URL.revokeObjectURL(each)
}

const formatOf = ({ type }: Blob): string => type.replace('image/', '')

/** `beach.avif`, of `beach.jpg` and `converted.avif`. */
const withExtensionOf = (original: string, fileName: string): string =>
  `${original.replace(/\.[^.]+$/, '')}.${fileName.split('.').at(-1)}`
