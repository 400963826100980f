import type { TargetFormat } from '@pixelmill/codecs/image-formats'
import { asFailure } from '../../api/api-failure.ts'
import type { ChosenFile } from './chosen-files.ts'
import { isZip, nameOf, type Outline, outlineArchive, outlineFiles } from './outline.ts'

export const fits = ['inside', 'cover', 'contain', 'fill', 'outside'] as const
export type Fit = (typeof fits)[number]

const USUAL_QUALITY = 75
/** PNG's default, and the API's default. */
const LOSSLESS = 100

export type DraftFormat = TargetFormat | 'same'

/** A batch that was not sent yet; kept while the user visits other pages. */
class Draft {
  /** The account's id: the next user of this browser does not see the files. */
  owner: string | undefined
  outline = $state.raw<Outline>()
  /** Why the last chosen files were refused. */
  fault = $state<string>()
  isReading = $state(false)
  /** `same` keeps that of each picture. */
  format = $state<DraftFormat>('webp')
  quality = $state<number | undefined>(USUAL_QUALITY)
  webhookUrl = $state('')
  /** Sides of a box; undefined keeps the size. */
  width = $state<number>()
  height = $state<number>()
  fit = $state<Fit>('inside')
  /** The name of a preset, in place of all settings of the pictures. */
  preset = $state('')
  /** The name as typed; until then the default is the name of the folder or the ZIP. */
  #name = $state<string>()
  #reading = 0

  /** A single ZIP is sent as it is; other files are added to those chosen before. */
  async take(choice: Promise<readonly ChosenFile[]>, owner: string | undefined): Promise<void> {
    const mine = ++this.#reading
    this.isReading = true
    this.fault = undefined
    this.owner = owner
    try {
      const outline = await this.#outlineOf(await choice)
      if (this.#reading === mine && outline) this.outline = outline
    } catch (error) {
      if (this.#reading === mine) this.fault = wordsOf(error)
    }
    if (this.#reading === mine) this.isReading = false
  }

  async #outlineOf(choice: readonly ChosenFile[]): Promise<Outline | undefined> {
    const [first, second] = choice
    if (!first) throw new Error('There is no file in this folder.')
    if (!second && isZip(first.file)) return outlineArchive(first.file)
    if (choice.every(({ file }) => isZip(file))) throw new Error('One ZIP makes one batch: send them one after the other.')
    return outlineFiles(this.outline?.archive ? [] : (this.outline?.files ?? []), choice)
  }

  readonly leaveOut = (path: string): void => {
    const files = this.outline?.files?.filter((file) => file.path !== path) ?? []
    this.outline = files.length > 0 ? { files } : undefined
  }

  /** PNG is lossless by default: 100 means lossless there. */
  readonly setFormat = (format: DraftFormat): void => {
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

  /** What is made of each picture: a preset, a recipe where the size changes, or else a format, or none, and a quality. */
  #pictures(): Readonly<Record<string, string>> {
    const { preset, format, quality, width, height, fit } = this
    if (preset !== '') return { preset }
    if (width === undefined && height === undefined)
      return {
        ...(format === 'same' ? { optimize: 'true' } : { format }),
        ...(quality !== undefined && { quality: String(quality) }),
      }
    const isLossless = format === 'png' && quality === LOSSLESS
    const output = { format, ...(quality !== undefined && !isLossless && { quality }) }
    return { recipe: JSON.stringify({ steps: [{ resize: { width, height, fit } }], outputs: [output] }) }
  }

  /** The text fields of the request. */
  fields(): Readonly<Record<string, string>> {
    return {
      ...this.#pictures(),
      ...(this.name.trim() !== '' && { name: this.name.trim() }),
      ...(this.webhookUrl.trim() !== '' && { webhook_url: this.webhookUrl.trim() }),
    }
  }

  /** Options are kept: the next batch is often similar. */
  readonly clear = (): void => {
    this.#reading++
    this.isReading = false
    this.fault = undefined
    this.outline = undefined
    this.#name = undefined
  }
}

const wordsOf = (error: unknown): string => {
  if (error instanceof RangeError) return 'This ZIP cannot be read: it is damaged, or its download is incomplete.'
  if (error instanceof DOMException) return 'The browser could not read these files. Choose them again.'
  return asFailure(error).message
}

export const draft = new Draft()
