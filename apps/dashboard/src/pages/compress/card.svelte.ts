import { type FormatName, imageFormats } from '@pixelmill/codecs/image-formats'
import type { ApiFailure } from '../../api/api-failure.ts'
import type { CompressSettings } from './settings.ts'

/** `ready` is not started: the user is asked about its cost, or calls have run out. */
export type CardState = 'ready' | 'waiting' | 'working' | 'done' | 'failed'

/** A compressed picture. */
export interface CardResult {
  /** Undefined until the batch that made it has ended. */
  readonly blob: Blob | undefined
  readonly bytes: number
  /** `photo.avif`, in the folder of the original. */
  readonly path: string
  /** Its extension: `avif`. */
  readonly extension: string
  /** Nothing smaller looks the same: this is the file as it came. */
  readonly isOriginal: boolean
}

/** Where a file was read from, by which a result can be written beside it. */
export interface FolderPlace {
  readonly folder: FileSystemDirectoryHandle
  readonly name: string
}

let nextId = 1

/** A picture on the page, and what has become of it. */
export class Card {
  readonly id = nextId++
  readonly file: File
  /** Its path in the chosen folder, else its name; unique among the cards. */
  readonly path: string
  readonly place: FolderPlace | undefined
  /** An object URL of a small copy; `none` if the browser cannot read the picture. */
  thumbnail = $state.raw<string | 'none'>()
  state = $state<CardState>('ready')
  result = $state.raw<CardResult>()
  failure = $state.raw<ApiFailure>()
  /** The file itself cannot be sent: other settings do not help. */
  isRefused = false
  /** The settings that were chosen for this picture alone, in the comparison. */
  ownSettings: CompressSettings | undefined
  #isReleased = false
  /** Results by the settings that made them: what was paid for is not made again. */
  readonly #results = new Map<string, CardResult>()

  constructor(file: File, path: string, place?: FolderPlace) {
    this.file = file
    this.path = path
    this.place = place
  }

  get name(): string {
    return this.path.slice(this.path.lastIndexOf('/') + 1)
  }

  /** Shows the result of earlier equal settings; else the card waits to be compressed. Returns whether there was one. */
  reuse(settings: string): boolean {
    const result = this.#results.get(settings)
    this.ownSettings = undefined
    this.failure = undefined
    this.result = result
    this.state = result ? 'done' : 'ready'
    return result !== undefined
  }

  finish(settings: string, result: CardResult): void {
    this.result = result
    this.failure = undefined
    this.state = 'done'
    if (result.blob) this.#results.set(settings, result)
  }

  refuse(failure: ApiFailure): void {
    this.isRefused = true
    this.fail(failure)
  }

  fail(failure: ApiFailure): void {
    this.result = undefined
    this.failure = failure
    this.state = 'failed'
  }

  /** A result was chosen in the comparison. */
  settle(blob: Blob, extension: string, settings: CompressSettings): void {
    this.ownSettings = settings
    this.result = { blob, bytes: blob.size, extension, path: withExtension(this.path, extension), isOriginal: false }
    this.failure = undefined
    this.state = 'done'
  }

  /** @param url an object URL, of which the card takes care; undefined if the browser cannot read the picture */
  show(url: string | undefined): void {
    if (this.thumbnail && this.thumbnail !== 'none') URL.revokeObjectURL(this.thumbnail)
    this.thumbnail = url ?? 'none'
    if (this.#isReleased && url) URL.revokeObjectURL(url)
  }

  release(): void {
    this.#isReleased = true
    const { thumbnail } = this
    this.thumbnail = undefined
    // The page still shows it for a moment.
    if (thumbnail && thumbnail !== 'none') setTimeout(() => URL.revokeObjectURL(thumbnail))
    this.#results.clear()
  }
}

export const extensionOf = (path: string): string => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''

export const withExtension = (path: string, extension: string): string =>
  extensionOf(path) === extension ? path : `${path.replace(/\.[^./]*$/, '')}.${extension}`

/** "AVIF", of `avif`. */
export function formatTitle(extension: string): string {
  const formats = Object.values(imageFormats)
  return formats.find(({ extensions }) => (extensions as readonly string[]).includes(extension))?.title ?? extension.toUpperCase()
}

const SHOWN_BY_BROWSERS: readonly FormatName[] = ['jpeg', 'png', 'webp', 'gif', 'avif']

/** Whether browsers show files of this name. */
export const isForBrowsers = (path: string): boolean =>
  SHOWN_BY_BROWSERS.some((name) => (imageFormats[name].extensions as readonly string[]).includes(extensionOf(path)))
