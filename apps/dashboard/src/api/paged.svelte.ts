import { Action } from './action.svelte.ts'
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
  readonly #readPage: ReadPage<Page>
  #rowsInSight = 0

  constructor(readPage: ReadPage<Page>) {
    this.#readPage = readPage
    this.all = resource((signal) => this.#readAll(signal))
  }

  async #readAll(signal: AbortSignal): Promise<Page> {
    let page = await this.#readPage(undefined, signal)
    while (page.nextCursor !== null && page.data.length < this.#rowsInSight) {
      const next = await this.#readPage(page.nextCursor, signal)
      page = { ...next, data: [...page.data, ...next.data] }
    }
    return page
  }

  readonly readMore = new Action(async () => {
    const before = this.all.value
    if (before?.nextCursor == null) return
    // A refresh that ends before this page arrives reads the page too, and replaces the list.
    this.#rowsInSight = before.data.length + 1
    try {
      const next = await this.#readPage(before.nextCursor)
      if (this.all.value === before) this.all.value = { ...next, data: [...before.data, ...next.data] }
    } finally {
      this.#rowsInSight = this.all.value?.data.length ?? 0
    }
  })
}

/** The list lives as long as the component. State that `readPage` uses before its first await restarts the list. */
export const pagedList = <Row, Page extends PageOfRows<Row>>(readPage: ReadPage<Page>): Paged<Row, Page> =>
  new Paged<Row, Page>(readPage)
