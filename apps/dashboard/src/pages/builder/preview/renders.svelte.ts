import { untrack } from 'svelte'
import { type ApiFailure, asFailure } from '../../../api/api-failure.ts'
import { MOST_PREVIEW_PIXELS } from '../../../api/tool-forms.ts'
import type { Size } from '../../playground/geometry.ts'
import { smallCopy } from '../../playground/live/small-copy.ts'
import type { Preview } from '../../playground/preview.ts'
import { type Rendered, sendImage } from '../../playground/send-image.ts'
import { decode, type ShownPicture } from '../../playground/shown-picture.ts'

const PATH = '/api/user/previews'
/** Nothing is sent until the recipe rests this long. */
const REST_MS = 150
/** So many are kept, with which going back and forth in the history shows at once what it leads to. */
const MOST = 60

/** What is to be seen. */
export interface RenderOrder {
  /** Where it is seen: while its recipe is rendered, the last one of the same place stays. */
  readonly place: string
  /** A recipe of one output as JSON. */
  readonly recipe: string
  readonly files: Readonly<Record<string, File>>
  /** The size of the result for the whole picture, where it is known. */
  readonly size: Size | undefined
  /** By how many times the pixels of the picture grow on the way. */
  readonly growth: number
}

/** A result as the server renders it from a small copy. */
export interface Render extends ShownPicture {
  /** About the bytes of the whole result. */
  readonly bytes: number
  readonly mediaType: string
}

interface Now {
  readonly picture: Preview | undefined
  /** Media type of its file. */
  readonly type: string
  /** The most important first. */
  readonly orders: readonly RenderOrder[]
}

const keyOf = ({ recipe, files }: RenderOrder): string =>
  [
    recipe,
    ...Object.entries(files).map(([name, { name: file, size, lastModified }]) => `${name}=${file}:${size}:${lastModified}`),
  ].join('\n')

/** Renders recipes on a small copy of the picture, one after the other, without a charge. Each recipe is rendered once. */
export class Renders {
  #renders = $state.raw<ReadonlyMap<string, Render>>(new Map())
  #failures = $state.raw<ReadonlyMap<string, ApiFailure>>(new Map())
  /** The last render of each place. */
  #last = $state.raw<ReadonlyMap<string, string>>(new Map())
  #picture: Preview | undefined
  #running: AbortController | undefined
  readonly #now: () => Now

  /** They are created with a component, whose life they share. */
  constructor(now: () => Now) {
    this.#now = now
    $effect(() => {
      const { picture, type, orders } = now()
      untrack(() => {
        if (picture !== this.#picture) this.#clear()
        this.#picture = picture
      })
      const mine = new AbortController()
      this.#running = mine
      const rest = setTimeout(() => void this.#renderAll(picture, type, orders, mine.signal), REST_MS)
      return () => {
        clearTimeout(rest)
        mine.abort()
      }
    })
    $effect(() => () => this.#clear())
  }

  /** What a place shows: of an earlier recipe until that of the present one is there. */
  at(place: string): Render | undefined {
    const order = this.#orderAt(place)
    const key = order && this.#renders.has(keyOf(order)) ? keyOf(order) : this.#last.get(place)
    return key === undefined ? undefined : this.#renders.get(key)
  }

  failureAt(place: string): ApiFailure | undefined {
    const order = this.#orderAt(place)
    return order && this.#failures.get(keyOf(order))
  }

  /** Whether what a place shows is of an earlier recipe. */
  isBusy(place: string): boolean {
    const order = this.#orderAt(place)
    return order !== undefined && !this.#renders.has(keyOf(order)) && !this.#failures.has(keyOf(order))
  }

  #orderAt(place: string): RenderOrder | undefined {
    const { picture, orders } = this.#now()
    return picture && orders.find((each) => each.place === place)
  }

  async #renderAll(picture: Preview | undefined, type: string, all: readonly RenderOrder[], signal: AbortSignal): Promise<void> {
    for (const order of all) {
      const key = keyOf(order)
      if (!picture || signal.aborted) return
      if (this.#renders.has(key)) {
        this.#last = new Map([...this.#last, [order.place, key]])
        continue
      }
      if (this.#failures.has(key)) continue
      try {
        const render = await renderOf(picture, type, order, signal)
        if (signal.aborted) {
          if (render) URL.revokeObjectURL(render.url)
          return
        }
        if (render) this.#keep(key, render, order.place)
      } catch (error) {
        if (signal.aborted) return
        const failure = asFailure(error)
        this.#failures = new Map([...this.#failures, [key, failure]])
        // The next change tries again what may have been the network's fault.
        if (failure.isTemporary) return
      }
    }
  }

  #keep(key: string, render: Render, place: string): void {
    const renders = [...this.#renders, [key, render] as const]
    for (const [, { url }] of renders.slice(0, Math.max(0, renders.length - MOST))) URL.revokeObjectURL(url)
    this.#renders = new Map(renders.slice(-MOST))
    this.#last = new Map([...this.#last, [place, key]])
  }

  #clear(): void {
    this.#running?.abort()
    for (const { url } of this.#renders.values()) URL.revokeObjectURL(url)
    this.#renders = new Map()
    this.#failures = new Map()
    this.#last = new Map()
  }
}

async function renderOf(picture: Preview, type: string, order: RenderOrder, signal: AbortSignal): Promise<Render | undefined> {
  const copy = await smallCopy(picture, type, copyPixels(order.growth))
  const render = (recipe: string): Promise<Rendered> =>
    sendImage(PATH, { image: copy.file, ...order.files }, { pictureWidth: picture.width, recipe }, signal)
  const { blob, width, height } = await render(order.recipe)
  // A format that this browser does not show is shown as WebP.
  const visible = (await decode(blob)) ?? (await decode((await render(inWebp(order.recipe))).blob))
  if (!visible) return undefined
  const factor = picture.width / copy.width
  const size = order.size ?? { width: Math.round(width * factor), height: Math.round(height * factor) }
  const growth = (size.width * size.height) / Math.max(1, width * height)
  return { ...size, url: visible.url, bytes: Math.round(blob.size * growth), mediaType: blob.type }
}

/** In steps, so that a border that is dragged does not copy the picture for each of its widths. */
const copyPixels = (growth: number): number =>
  growth <= 1 ? MOST_PREVIEW_PIXELS : Math.floor(MOST_PREVIEW_PIXELS / 1.3 ** Math.ceil(Math.log(growth) / Math.log(1.3)))

function inWebp(recipe: string): string {
  const { steps, outputs } = JSON.parse(recipe) as {
    readonly steps: unknown
    readonly outputs: readonly { readonly steps?: unknown }[]
  }
  return JSON.stringify({ steps, outputs: [{ steps: outputs[0]?.steps ?? [], format: 'webp' }] })
}
