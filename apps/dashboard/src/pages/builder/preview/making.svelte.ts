import { type ApiFailure, asFailure } from '../../../api/api-failure.ts'
import { type Rendered, sendImage } from '../../playground/send-image.ts'

/** What is made of one output. */
export interface Order {
  readonly id: number
  /** The recipe of the output alone, as JSON. */
  readonly recipe: string
}

/** A file of an output; its URL is good until the next one is made. */
export interface Result extends Rendered {
  readonly recipe: string
  readonly picture: File
  readonly url: string
}

/** The files themselves, made by calls: each costs one. */
export class Making {
  #results = $state.raw<ReadonlyMap<number, Result>>(new Map())
  failure = $state.raw<ApiFailure>()
  /** The output that is being made. */
  busyId = $state<number>()
  #running: AbortController | undefined

  /** The file of an output, if neither the picture nor the recipe has changed since. */
  result({ id, recipe }: Order, picture: File): Result | undefined {
    const result = this.#results.get(id)
    return result?.recipe === recipe && result.picture === picture ? result : undefined
  }

  /** Makes what has changed since it was last made. @param path of the endpoint */
  async start(path: string, picture: File, files: Readonly<Record<string, File>>, orders: readonly Order[]): Promise<void> {
    this.cancel()
    const mine = new AbortController()
    this.#running = mine
    this.failure = undefined
    try {
      for (const order of orders.filter((each) => !this.result(each, picture))) {
        this.busyId = order.id
        const answer = await sendImage(path, { image: picture, ...files }, { recipe: order.recipe }, mine.signal)
        if (mine.signal.aborted) return
        this.#keep(order.id, { ...answer, recipe: order.recipe, picture, url: URL.createObjectURL(answer.blob) })
      }
    } catch (error) {
      if (mine.signal.aborted) return
      this.failure = asFailure(error)
    }
    this.busyId = undefined
  }

  readonly cancel = (): void => {
    this.#running?.abort()
    this.busyId = undefined
  }

  #keep(id: number, result: Result): void {
    const earlier = this.#results.get(id)
    if (earlier) URL.revokeObjectURL(earlier.url)
    this.#results = new Map([...this.#results, [id, result]])
  }

  close(): void {
    this.cancel()
    for (const { url } of this.#results.values()) URL.revokeObjectURL(url)
    this.#results = new Map()
  }
}
