import { type ApiFailure, asFailure } from '../../api/api-failure.ts'
import type { OperationForm } from './operation-form.svelte.ts'
import { type Preview, previewOf } from './preview.ts'
import { type Params, type Rendered, sendImage } from './send-image.ts'

export interface Result extends Rendered {
  readonly preview: Preview
  /** A link to the bytes themselves, for the download. */
  readonly url: string
  /** With what it was made, to see whether it still is what is set. */
  readonly made: string
  readonly source: File
}

/** What the form stands for, as a text to compare. */
export const fingerprint = (params: Params, watermark: File | undefined): string =>
  JSON.stringify([params, watermark?.name, watermark?.size, watermark?.lastModified])

/** One operation on the picture: under way, done or failed. The last result stays in sight until there is a newer one. */
export class OperationRun {
  result = $state.raw<Result>()
  failure = $state.raw<ApiFailure>()
  isBusy = $state(false)
  #running: AbortController | undefined

  async start(form: OperationForm, picture: File): Promise<void> {
    this.#running?.abort()
    const mine = new AbortController()
    this.#running = mine
    this.isBusy = true
    this.failure = undefined
    const params = form.params()
    const { watermark } = form
    try {
      const rendered = await sendImage(form.name, { image: picture, ...(watermark && { watermark }) }, params, mine.signal)
      const preview = await previewOf(new File([rendered.blob], rendered.fileName, { type: rendered.blob.type }), mine.signal)
      if (this.#running !== mine) return URL.revokeObjectURL(preview.url)
      this.#drop()
      this.result = {
        ...rendered,
        preview,
        url: URL.createObjectURL(rendered.blob),
        made: fingerprint(params, watermark),
        source: picture,
      }
    } catch (error) {
      if (this.#running !== mine) return
      this.failure = asFailure(error)
    }
    this.isBusy = false
  }

  readonly cancel = (): void => {
    this.#running?.abort()
    this.#running = undefined
    this.isBusy = false
  }

  /** Another picture, or none: nothing of the last one is left. */
  clear(): void {
    this.cancel()
    this.failure = undefined
    this.#drop()
  }

  #drop(): void {
    if (!this.result) return
    URL.revokeObjectURL(this.result.url)
    URL.revokeObjectURL(this.result.preview.url)
    this.result = undefined
  }
}
