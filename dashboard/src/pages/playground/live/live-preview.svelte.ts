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

/**
 * How a result will look, made by the server from a small copy of the picture, without a charge. At most one is under way; a newer
 * one cancels it. The last one stays visible until there is a newer one.
 */
export class LivePreview {
  shown = $state.raw<Shown>()
  failure = $state.raw<ApiFailure>()
  #rest: ReturnType<typeof setTimeout> | undefined
  #running: AbortController | undefined

  /** @param type media type of the picture's file */
  ask(picture: ShownPicture, type: string, wanted: Wanted): void {
    this.cancel()
    this.#rest = setTimeout(() => void this.#make(picture, type, wanted), REST_MS)
  }

  readonly cancel = (): void => {
    clearTimeout(this.#rest)
    this.#running?.abort()
    this.#running = undefined
  }

  readonly clear = (): void => {
    this.cancel()
    this.failure = undefined
    this.#show(undefined)
  }

  async #make(picture: ShownPicture, type: string, wanted: Wanted): Promise<void> {
    const mine = new AbortController()
    this.#running = mine
    try {
      const copy = await smallCopy(picture, type)
      if (this.#running !== mine) return
      const params = { pictureWidth: picture.width, ...wanted }
      const { blob } = await sendImage(PATH, { image: copy.file }, params, mine.signal)
      const made = await decode(blob)
      if (this.#running !== mine) {
        if (made) URL.revokeObjectURL(made.url)
        return
      }
      const grown = picture.width / copy.width
      const size = made && { width: Math.round(made.width * grown), height: Math.round(made.height * grown) }
      this.#show(made && { ...made, ...size, of: picture, isSameShape: isSameShape(made, copy) })
      this.failure = undefined
    } catch (error) {
      if (this.#running === mine) this.failure = asFailure(error)
    }
  }

  #show(next: Shown | undefined): void {
    if (this.shown) URL.revokeObjectURL(this.shown.url)
    this.shown = next
  }
}

/** What is said beside a preview. */
export const noteOf = ({ shown, failure }: LivePreview): string | undefined => {
  if (failure) return `No preview: ${failure.message}`
  return shown && 'A preview, made from a small copy: not counted.'
}
