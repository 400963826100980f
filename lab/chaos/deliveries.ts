import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { signText } from 'pixelmill-server/delivery/address'
import { accountTotals } from 'pixelmill-server/test/support/account-totals'
import { makeAccount, makeLogin } from 'pixelmill-server/test/support/accounts'
import { send } from 'pixelmill-server/test/support/json-call'
import type { Random } from './archives.ts'
import { ORIGINALS, type Service } from './service.ts'
import { persist, until } from './until.ts'

/** A page with images by URL, which visitors load again and again. */
export interface Deliveries {
  /** Loads new images until each has arrived, whatever dies meanwhile, then all again. Returns faults. */
  loadPage(random: Random): Promise<readonly string[]>
  /** Faults in what was charged so far, once nothing is under way. */
  settledFaults(): Promise<readonly string[]>
  /** Removes the source, so that housekeeping removes its cached images. */
  remove(): Promise<void>
}

const SOURCE = 'chaos'
const IMAGES = 24
const ANSWER_MS = 60_000
/** An image whose server dies between its charge and its storing is made, and charged, again: at most those in progress at a kill. */
const AGAIN_FOR_A_KILL = 8
const SETTLE_SECONDS = 180

export async function makeDeliveries(service: Service, picture: Buffer): Promise<Deliveries> {
  const { database } = service
  const folder = await mkdtemp(join(ORIGINALS, 'pixelmill-originals-'))
  await writeFile(join(folder, 'picture.jpg'), picture)
  const { id } = await makeAccount(database, 'enterprise')
  const token = await makeLogin(database, id)
  const call = (method: string, body?: object) =>
    persist(async () => {
      const answer = await send<{ secret?: string }>(service.url(), `${method} /api/user/sources/${SOURCE}`, { token, body })
      if (answer.status >= 500) throw new Error(`${method} of a source: ${answer.status}`)
      return answer.body
    })
  const { secret = '' } = await call('PUT', { type: 'folder', path: folder })
  const key = Buffer.from(secret, 'base64url')
  let pageCount = 0
  let kills = 0

  /** The ETag. */
  const load = (path: string): Promise<string> =>
    persist(async () => {
      const answer = await fetch(service.url() + path, { signal: AbortSignal.timeout(ANSWER_MS) })
      const { byteLength } = await answer.arrayBuffer()
      if (!answer.ok || byteLength === 0) throw new Error(`${path}: ${answer.status}`)
      return answer.headers.get('etag') ?? ''
    })
  return {
    async loadPage(random) {
      kills++
      const from = pageCount + 1
      pageCount += IMAGES
      // Each is asked for twice at once.
      const paths = Array.from({ length: IMAGES }, (_, n) => signText(`/i/${SOURCE}/picture.jpg?w=${20 + from + n}&f=webp`, key))
      const first = await Promise.all(paths.flatMap((path) => [path, path]).map(load))
      const again = await Promise.all(paths.map(load))
      const wrong = again.filter((etag, n) => etag !== first[2 * n] || etag !== first[2 * n + 1])
      const old = await load(signText(`/i/${SOURCE}/picture.jpg?w=${21 + random(pageCount)}&f=webp`, key))
      return [
        ...(wrong.length > 0 ? [`${wrong.length} images came in two forms`] : []),
        ...(old === '' ? ['an image has no ETag'] : []),
      ]
    },
    async settledFaults() {
      let faults: readonly string[] = []
      await until(
        'all deliveries are settled',
        async () => {
          const { used, open } = await accountTotals(database, id)
          const isRight = used >= pageCount && used <= pageCount + kills * AGAIN_FOR_A_KILL
          faults = [
            ...(isRight ? [] : [`${used} calls were charged for ${pageCount} delivered images`]),
            ...(open === 0 ? [] : [`${open} calls of deliveries stay reserved`]),
          ]
          return faults.length === 0
        },
        SETTLE_SECONDS,
      ).catch(() => {})
      return faults
    },
    async remove() {
      await call('DELETE')
    },
  }
}
