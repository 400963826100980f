import { isImageName } from '@pixelmill/codecs/image-formats'
import { ApiFailure, asFailure } from '../../api/api-failure.ts'
import { send } from '../../api/send.ts'
import { router } from '../../router/router.svelte.ts'
import { session } from '../../session/session.svelte.ts'
import type { ChosenFile } from '../batches/chosen-files.ts'
import { originalOf, type Place } from '../playground/original.ts'
import { source } from '../playground/source.svelte.ts'
import { encodedPath } from '../sources/delivery-url.ts'

/** How the one picture of the builder is opened: dropped, picked, of a source by the address, or the sample. */
export class PictureOpening {
  /** A picture of a source, or the sample, is on its way. */
  #fetching = $state.raw<AbortController>()
  readonly isBusy = $derived(source.isOpening || this.#fetching !== undefined)

  async open(
    file: File,
    from: { readonly place?: Place | undefined; readonly fileGroup?: readonly ChosenFile[] } = {},
  ): Promise<void> {
    if (!from.place) this.forgetPlace()
    await source.open(file, session.user?.id, from)
  }

  /** Opens the picture that the address names by `source` and `path`. @returns whether it names one */
  openDelivered(): boolean {
    const [name, path] = ['source', 'path'].map((each) => router.search.get(each))
    if (!name || !path) return false
    const place = { source: name, path: encodedPath(path) }
    if (source.place?.source !== place.source || source.place.path !== place.path)
      void this.#fetch((signal) => originalOf(place, signal), place)
    return true
  }

  /** @param url of the sample photograph, a JPEG */
  openSample(url: string): void {
    void this.#fetch(async (signal) => {
      const response = await send(url, { signal })
      return new File([await response.blob()], 'photo.jpg', { type: 'image/jpeg' })
    })
  }

  async #fetch(file: (signal: AbortSignal) => Promise<File>, place?: Place): Promise<void> {
    this.#fetching?.abort()
    const mine = new AbortController()
    this.#fetching = mine
    try {
      const picture = await file(mine.signal)
      if (mine.signal.aborted) return
      this.#fetching = undefined
      await this.open(picture, { place })
    } catch (error) {
      if (!mine.signal.aborted) source.fail(asFailure(error))
    }
    if (this.#fetching === mine) this.#fetching = undefined
  }

  /** Opens the first picture of what was chosen; the others are remembered, for a batch. @throws never: failures are shown */
  async take(choice: Promise<readonly ChosenFile[]>): Promise<void> {
    try {
      const files = await choice
      const picture = files.find(({ path }) => isImageName(path)) ?? files[0]
      if (picture) await this.open(picture.file, { fileGroup: files.length > 1 ? files : [] })
    } catch {
      source.fail(new ApiFailure('unreadable_file', 'The browser could not read these files. Choose them again.'))
    }
  }

  /** Another picture is opened, or none is. */
  forgetPlace(): void {
    this.stop()
    router.setSearch({ source: undefined, path: undefined })
  }

  readonly stop = (): void => {
    this.#fetching?.abort()
    this.#fetching = undefined
  }
}
