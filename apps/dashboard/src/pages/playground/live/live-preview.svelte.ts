import { untrack } from 'svelte'
import { type ApiFailure, asFailure } from '../../../api/api-failure.ts'
import { isSameShape } from '../made-picture.ts'
import { sendImage } from '../send-image.ts'
import { decode, type ShownPicture } from '../shown-picture.ts'
import { smallCopy } from './small-copy.ts'

/** What is to be seen: an operation with its fields as JSON, or a recipe as JSON. */
export type Wanted = { readonly operation: string; readonly params: string } | { readonly recipe: string }

interface Shown extends ShownPicture {
  /** The picture that it is a preview of. */
  readonly of: ShownPicture
  /** Whether it can be laid over that picture. */
  readonly isSameShape: boolean
}

const PATH = '/api/user/previews'
/** A slider that moves sends nothing until it rests this long, and the server has learned of the request that was cancelled. */
const REST_MS = 150

/** What a tool shows at the moment. */
interface Now {
  readonly picture: ShownPicture
  /** Media type of the picture's file. */
  readonly type: string
  /** The preview that is wanted; undefined where nothing is to be previewed. */
  readonly wanted: Wanted | undefined
  /** The result itself is being made: the last preview stays until then. */
  readonly isBusy: boolean
}

/**
 * How a result will look, made by the server from a small copy of the picture, without a charge. At most one is under way; a newer
 * one cancels it. The last one stays visible until there is a newer one.
 */
export class LivePreview {
  #last = $state.raw<Shown>()
  #failure = $state.raw<ApiFailure>()
  #rest: ReturnType<typeof setTimeout> | undefined
  #running: AbortController | undefined
  readonly #now: () => Now

  /** The preview of the picture that is open; undefined where the result itself is shown. */
  readonly preview = $derived.by(() => {
    const { picture, wanted } = this.#now()
    return wanted && this.#last?.of === picture ? this.#last : undefined
  })
  /** What is said beside a preview. */
  readonly note = $derived.by(() => {
    if (this.#failure) return `No preview: ${this.#failure.message}`
    return this.preview && 'A preview, made from a small copy: not counted.'
  })

  /** A preview is created with a component, whose life it shares. */
  constructor(now: () => Now) {
    this.#now = now
    $effect(() => {
      const { picture, type, wanted, isBusy } = now()
      this.#cancel()
      if (wanted && !isBusy) this.#rest = setTimeout(() => void this.#make(picture, type, wanted), REST_MS)
      if (!wanted && !isBusy) untrack(() => this.#clear())
    })
    $effect(() => () => this.#clear())
  }

  #cancel(): void {
    clearTimeout(this.#rest)
    this.#running?.abort()
    this.#running = undefined
  }

  #clear(): void {
    this.#cancel()
    this.#failure = undefined
    this.#show(undefined)
  }

  async #make(picture: ShownPicture, type: string, target: Wanted): Promise<void> {
    const mine = new AbortController()
    this.#running = mine
    try {
      const copy = await smallCopy(picture, type)
      if (this.#running !== mine) return
      const params = { pictureWidth: picture.width, ...target }
      const { blob } = await sendImage(PATH, { image: copy.file }, params, mine.signal)
      const preview = await decode(blob)
      if (this.#running !== mine) {
        if (preview) URL.revokeObjectURL(preview.url)
        return
      }
      const factor = picture.width / copy.width
      const size = preview && { width: Math.round(preview.width * factor), height: Math.round(preview.height * factor) }
      this.#show(preview && { ...preview, ...size, of: picture, isSameShape: isSameShape(preview, copy) })
      this.#failure = undefined
    } catch (error) {
      if (this.#running === mine) this.#failure = asFailure(error)
    }
  }

  #show(next: Shown | undefined): void {
    if (this.#last) URL.revokeObjectURL(this.#last.url)
    this.#last = next
  }
}
