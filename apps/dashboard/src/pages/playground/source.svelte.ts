import { ApiFailure, asFailure } from '../../api/api-failure.ts'
import type { ChosenFile } from '../batches/chosen-files.ts'
import type { Place } from './original.ts'
import { type Preview, previewOf } from './preview.ts'
import { refusalOf } from './refused-files.ts'

/** The opened picture: shared by all tools, and kept while the user visits other pages. */
class Source {
  /** The account's id: the next user of this browser does not see the picture. */
  owner: string | undefined
  file = $state.raw<File>()
  preview = $state.raw<Preview>()
  /** Where the file is delivered from; undefined for a file of the user. */
  place = $state.raw<Place>()
  /** All files that came with it; none if it came alone. */
  fileGroup = $state.raw<readonly ChosenFile[]>([])
  /** Why the last file was refused. */
  failure = $state.raw<ApiFailure>()
  isOpening = $state(false)
  #opening: AbortController | undefined

  async open(
    file: File,
    owner: string | undefined,
    { place, fileGroup = [] }: { readonly place?: Place | undefined; readonly fileGroup?: readonly ChosenFile[] } = {},
  ): Promise<void> {
    this.#opening?.abort()
    const mine = new AbortController()
    this.#opening = mine
    this.failure = undefined
    // The previous opening was aborted, and reports nothing more.
    this.isOpening = false
    this.isOpening = true
    try {
      const refusal = await refusalOf(file)
      if (this.#opening !== mine) return
      if (refusal !== undefined) throw new ApiFailure('invalid_image_type', refusal)
      const preview = await previewOf(file, mine.signal)
      if (this.#opening !== mine) return URL.revokeObjectURL(preview.url)
      this.#drop()
      this.file = file
      this.owner = owner
      this.place = place
      this.fileGroup = fileGroup
      this.preview = preview
    } catch (error) {
      if (this.#opening === mine) this.failure = asFailure(error)
    }
    if (this.#opening === mine) this.isOpening = false
  }

  /** The chosen file could not be opened at all. */
  fail(failure: ApiFailure): void {
    this.failure = failure
  }

  readonly close = (): void => {
    this.#opening?.abort()
    this.#opening = undefined
    this.isOpening = false
    this.failure = undefined
    this.#drop()
  }

  #drop(): void {
    if (this.preview) URL.revokeObjectURL(this.preview.url)
    this.preview = undefined
    this.file = undefined
    this.place = undefined
    this.fileGroup = []
  }
}

export const source = new Source()
