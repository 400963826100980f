import { type ApiFailure, asFailure } from './api-failure.ts'
import { type Resource, resource } from './resource.svelte.ts'

/** The shape of every list in the API. */
export interface PageOfRows<Row> {
  readonly data: readonly Row[]
  readonly nextCursor: string | null
}

type ReadPage<Page> = (cursor: string | undefined, signal?: AbortSignal) => Promise<Page>

/** A paged list. A refresh loads as many rows as were shown. */
export class Paged<Row, Page extends PageOfRows<Row>> {
  readonly all: Resource<Page>
  isReadingMore = $state(false)
  /** Why there are no more rows. */
  moreFailure = $state.raw<ApiFailure>()
  readonly #readPage: ReadPage<Page>
  #inSight = 0

  constructor(readPage: ReadPage<Page>) {
    this.#readPage = readPage
    this.all = resource((signal) => this.#readAll(signal))
  }

  async #readAll(signal: AbortSignal): Promise<Page> {
    let page = await this.#readPage(undefined, signal)
    while (page.nextCursor !== null && page.data.length < this.#inSight) {
      const next = await this.#readPage(page.nextCursor, signal)
      page = { ...next, data: [...page.data, ...next.data] }
    }
    return page
  }

  readonly readMore = async (): Promise<void> => {
    const before = this.all.value
    if (this.isReadingMore || before?.nextCursor == null) return
    this.isReadingMore = true
    this.moreFailure = undefined
    // A refresh that ends before this page arrives reads the page too, and replaces the list.
    this.#inSight = before.data.length + 1
    try {
      const next = await this.#readPage(before.nextCursor)
      if (this.all.value === before) this.all.value = { ...next, data: [...before.data, ...next.data] }
    } catch (error) {
      this.moreFailure = asFailure(error)
    }
    this.#inSight = this.all.value?.data.length ?? 0
    this.isReadingMore = false
  }
}

/** For the lifetime of the component. State that `readPage` uses before its first await restarts the list. */
export const paged = <Row, Page extends PageOfRows<Row>>(readPage: ReadPage<Page>): Paged<Row, Page> =>
  new Paged<Row, Page>(readPage)
