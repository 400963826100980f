import type { TargetFormat } from '../../../../src/web/image-formats.ts'
import { asFailure } from '../../api/api-failure.ts'
import type { ChosenFile } from './chosen-files.ts'
import { isZip, nameOf, type Outline, outlineArchive, outlineFiles } from './outline.ts'

const USUAL_QUALITY = 75
/** Of PNG, and what the API takes when nothing is sent. */
const LOSSLESS = 100

/** A batch that has not been sent: still there after a look at another page. */
class Draft {
  /** Whose it is: the next who signs in at this browser does not see it. */
  owner: string | undefined
  outline = $state.raw<Outline>()
  /** Why what was chosen last was not taken. */
  fault = $state<string>()
  isReading = $state(false)
  format = $state<TargetFormat>('webp')
  quality = $state<number | undefined>(USUAL_QUALITY)
  webhookUrl = $state('')
  /** As typed; undefined until then: it is called after the folder or the ZIP. */
  #name = $state<string>()
  #reading = 0

  /** A ZIP that comes alone is sent as it is; everything else is added to the files that are there. */
  async take(chosen: Promise<readonly ChosenFile[]>, owner: string | undefined): Promise<void> {
    const mine = ++this.#reading
    this.isReading = true
    this.fault = undefined
    this.owner = owner
    try {
      const outline = await this.#outlineOf(await chosen)
      if (this.#reading === mine && outline) this.outline = outline
    } catch (error) {
      if (this.#reading === mine) this.fault = wordsOf(error)
    }
    if (this.#reading === mine) this.isReading = false
  }

  async #outlineOf(chosen: readonly ChosenFile[]): Promise<Outline | undefined> {
    const [first, second] = chosen
    if (!first) throw new Error('There is no file in this folder.')
    if (!second && isZip(first.file)) return outlineArchive(first.file)
    if (chosen.every(({ file }) => isZip(file))) throw new Error('One ZIP makes one batch: send them one after the other.')
    return outlineFiles(this.outline?.archive ? [] : (this.outline?.files ?? []), chosen)
  }

  readonly leaveOut = (path: string): void => {
    const files = this.outline?.files?.filter((file) => file.path !== path) ?? []
    this.outline = files.length > 0 ? { files } : undefined
  }

  /** PNG is lossless unless told otherwise: that is what 100 says there. */
  readonly setFormat = (format: TargetFormat): void => {
    this.format = format
    if (format === 'png' && this.quality === USUAL_QUALITY) this.quality = LOSSLESS
    else if (format !== 'png' && this.quality === LOSSLESS) this.quality = USUAL_QUALITY
  }

  get name(): string {
    return this.#name ?? (this.outline ? nameOf(this.outline) : '')
  }

  set name(name: string) {
    this.#name = name
  }

  /** The text fields of the request. */
  fields(): Readonly<Record<string, string>> {
    return {
      format: this.format,
      ...(this.name.trim() !== '' && { name: this.name.trim() }),
      ...(this.quality !== undefined && { quality: String(this.quality) }),
      ...(this.webhookUrl.trim() !== '' && { webhook_url: this.webhookUrl.trim() }),
    }
  }

  /** What is set stays: the next batch is often alike. */
  readonly clear = (): void => {
    this.#reading++
    this.isReading = false
    this.fault = undefined
    this.outline = undefined
    this.#name = undefined
  }
}

const wordsOf = (error: unknown): string => {
  if (error instanceof RangeError) return 'This is no ZIP that can be read: it is damaged, or has not been downloaded to its end.'
  if (error instanceof DOMException) return 'The browser could not read these files. Choose them again.'
  return asFailure(error).message
}

export const draft = new Draft()
