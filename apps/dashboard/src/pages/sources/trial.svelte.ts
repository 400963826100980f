import { type ApiFailure, asFailure } from '../../api/api-failure.ts'
import { api } from '../../api/client.ts'
import { send } from '../../api/send.ts'
import { decode, type ShownPicture } from '../playground/shown-picture.ts'
import { encodedPath } from './delivery-url.ts'

export interface Delivered {
  /** The path as typed. */
  readonly path: string
  /** The picture; undefined if the browser cannot display the format. */
  readonly shown: ShownPicture | undefined
  readonly bytes: number
  readonly type: string
  readonly cache: string
}

/** Browsers ask for pictures of pages by this header: on it depends what f=auto chooses. */
const ACCEPT = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'

/** Signs a URL of a source and fetches it, past the browser's cache. */
export class Trial {
  /** The whole URL of the last trial. */
  url = $state<string>()
  delivery = $state.raw<Delivered>()
  failure = $state.raw<ApiFailure>()
  isBusy = $state(false)
  #running: AbortController | undefined

  /** @param path as typed */
  async start(name: string, path: string, query: string): Promise<void> {
    this.#running?.abort()
    const mine = new AbortController()
    this.#running = mine
    this.isBusy = true
    this.failure = undefined
    let signedUrl: string | undefined
    let picture: Delivered | undefined
    try {
      const body = { path: encodedPath(path), query }
      const { url } = await api.post('/api/user/sources/{name}/sign', { path: { name }, body, signal: mine.signal })
      signedUrl = location.origin + url
      picture = { path, ...(await deliver(url, mine.signal)) }
    } catch (error) {
      if (this.#running === mine) this.failure = asFailure(error)
    }
    if (this.#running !== mine) return release(picture)
    release(this.delivery)
    this.url = signedUrl
    this.delivery = picture
    this.isBusy = false
  }

  readonly close = (): void => {
    this.#running?.abort()
    this.#running = undefined
    release(this.delivery)
    this.delivery = undefined
  }
}

async function deliver(url: string, signal: AbortSignal): Promise<Omit<Delivered, 'path'>> {
  const response = await send(url, { headers: { accept: ACCEPT }, cache: 'no-store', signal })
  const blob = await response.blob()
  const cache = response.headers.get('x-cache') ?? 'none'
  return { shown: await decode(blob), bytes: blob.size, type: blob.type, cache }
}

function release(picture: Delivered | undefined): void {
  if (picture?.shown) URL.revokeObjectURL(picture.shown.url)
}
