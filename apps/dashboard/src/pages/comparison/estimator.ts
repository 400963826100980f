import { type CompressSettings, fingerprintOf as keyOf } from '../compress/settings.ts'
import { type SmallCopy, smallCopy } from '../playground/live/small-copy.ts'
import type { Preview } from '../playground/preview.ts'
import { sendImage } from '../playground/send-image.ts'
import { type DecodedPicture, decode, type ShownPicture } from '../playground/shown-picture.ts'
import { Calibration } from './calibration.ts'
import { copyRequest, targetFormatOf } from './copy-request.ts'
import { heatPicture } from './score/heat-picture.ts'
import type { Scorer } from './score/scorer.ts'

/** What settings will give, about. */
export interface Estimate {
  /** Of the settings. */
  readonly key: string
  readonly bytes: number
  readonly score: number | undefined
  /** The result of the small copy, which stands for that of the picture; undefined where this browser cannot show the format. */
  readonly picture: ShownPicture | undefined
  readonly heat: ShownPicture | undefined
}

/** Estimates results of a picture from a small copy of it, without a charge. It is closed with `close`. */
export class Estimator {
  readonly #original: Preview
  readonly #type: string
  readonly #scorer: Scorer
  readonly #calibration = new Calibration()
  #copyPicture: Promise<DecodedPicture | undefined> | undefined

  /** @param type of the picture's file */
  constructor(original: Preview, type: string, scorer: Scorer) {
    this.#original = original
    this.#type = type
    this.#scorer = scorer
  }

  /** A result of the picture itself: estimates of similar settings are scaled by what it has. */
  calibrate(settings: CompressSettings, { type, size }: Blob, score: number | undefined): void {
    this.#calibration.addWhole(keyOf(settings), { type, bytes: size, score })
  }

  /** Whether the copy was encoded with these settings as well. */
  isCalibrated(settings: CompressSettings): boolean {
    return this.#calibration.hasPair(keyOf(settings))
  }

  /**
   * @param type of the last result, which stands for a choice of the service's
   * @throws ApiFailure; AbortError
   */
  async estimate(settings: CompressSettings, type: string | undefined, signal: AbortSignal): Promise<Estimate> {
    // Once the comparison is closed, the picture's URL is revoked: it could not be copied.
    signal.throwIfAborted()
    const original = this.#original
    const copy = await smallCopy(original, this.#type)
    const factor = original.width / copy.width
    const pixels = factor ** 2
    const format = targetFormatOf(type ?? this.#type)
    const share = { type: `image/${format}`, bytes: (1000 * settings.mostKilobytes) / pixels, score: undefined }
    const weight = pixels / this.#calibration.bytesPerByte(share, pixels)
    const fields = copyRequest(settings, { pictureWidth: original.width, format, weight })
    const { blob } = await sendImage('/api/user/previews', { image: copy.file }, fields, signal)
    const result = await decode(blob)
    const likeness = result && (await this.#likenessOf(copy, result))
    const measure = { type: blob.type, bytes: blob.size, score: likeness?.score }
    this.#calibration.addCopy(keyOf(settings), measure)
    return {
      key: keyOf(settings),
      ...this.#calibration.whole(measure, pixels),
      picture: result && inFullSize(result, copy, original),
      heat: likeness && heatPicture(likeness, factor),
    }
  }

  async #likenessOf({ file }: SmallCopy, result: DecodedPicture) {
    this.#copyPicture ??= decode(file)
    const copyPicture = await this.#copyPicture
    return copyPicture && this.#scorer.compare(copyPicture, result)
  }

  close(): void {
    void this.#copyPicture?.then((picture) => picture && URL.revokeObjectURL(picture.url))
  }
}

/** The result of the copy, shown as large as that of the picture. */
function inFullSize(result: ShownPicture, copy: SmallCopy, original: Preview): ShownPicture {
  const hasSizeOfCopy = result.width === copy.width && result.height === copy.height
  if (hasSizeOfCopy) return { url: result.url, width: original.width, height: original.height }
  const factor = original.width / copy.width
  return { url: result.url, width: Math.round(result.width * factor), height: Math.round(result.height * factor) }
}
