import { Action } from './action.svelte.ts'
import type { PageOfRows } from './paged.svelte.ts'
import { type Resource, resource } from './resource.svelte.ts'

type ReadPage<Row> = (cursor: string | undefined, signal?: AbortSignal) => Promise<PageOfRows<Row>>

/** A list, newest first, that grows at both ends: by new rows, and by "Show more". */
export class GrowingList<Row> {
  /** All rows so far. Refreshing takes one call for the newest page, however many rows are shown. */
  readonly all: Resource<PageOfRows<Row>>
  readonly #readPage: ReadPage<Row>
  readonly #keyOf: (row: Row) => string | number
  readonly #kindOf: () => unknown
  #kind: unknown

  /** @param kindOf identifies the list: if it changes, the list starts anew */
  constructor(readPage: ReadPage<Row>, keyOf: (row: Row) => string | number, kindOf: () => unknown = () => undefined) {
    this.#readPage = readPage
    this.#keyOf = keyOf
    this.#kindOf = kindOf
    this.all = resource((signal) => this.#readNewest(signal))
  }

  /** The rows; undefined until the first page has arrived. */
  get rows(): readonly Row[] | undefined {
    return this.all.value?.data
  }

  /** Older rows stay below the newest page, unless so many are new that some may be missing between. */
  async #readNewest(signal: AbortSignal): Promise<PageOfRows<Row>> {
    const kind = this.#kindOf()
    const page = await this.#readPage(undefined, signal)
    const before = this.#kind === kind ? this.all.value : undefined
    this.#kind = kind
    const newest = new Set(page.data.map(this.#keyOf))
    const older = before?.data.filter((row) => !newest.has(this.#keyOf(row))) ?? []
    if (!before || older.length === 0 || older.length === before.data.length) return page
    return { data: [...page.data, ...older], nextCursor: before.nextCursor }
  }

  readonly readMore = new Action(async () => {
    const cursor = this.all.value?.nextCursor
    if (cursor == null) return
    const page = await this.#readPage(cursor)
    const now = this.all.value
    // The page is dropped if the list was restarted meanwhile.
    if (now?.nextCursor === cursor) this.all.value = { data: [...now.data, ...page.data], nextCursor: page.nextCursor }
  })
}
