import { randomUUID } from 'node:crypto'
import { zipOf } from 'pixelmill-server/test/support/batch-call'
import { exampleRequests } from '../operations/example-requests.ts'
import { call, follow, hangUp, post, postJson, type Target } from './calls.ts'
import { multipartOf, SOAK_BOUNDARY } from './multipart.ts'
import type { SoakPictures } from './pictures.ts'

export interface SoakSetting extends Target {
  readonly pictures: SoakPictures
  readonly hookUrl: string
}

/** One kind of request: its share in per cent, and the accepted statuses. 0 is a disconnect. */
export interface Kind {
  readonly name: string
  readonly share: number
  readonly expected: readonly number[]
  send(setting: SoakSetting, nth: number): Promise<number>
}

const pick = <One>(list: readonly One[], nth: number): One => {
  const one = list[nth % list.length]
  if (one === undefined) throw new Error('there is nothing to pick from')
  return one
}

const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status
const v1 = (name: string) => `/api/v1/${name}`
const formats = ['webp', 'jpeg', 'png', 'avif'] as const
const REFUSALS = [400, 413, 415, 422] as const
const dataUri = (bytes: Buffer) => `data:application/octet-stream;base64,${bytes.toString('base64')}`

/** A batch from upload to deletion: followed, polled, downloaded, now and then aborted. */
async function batch(setting: SoakSetting, nth: number): Promise<number> {
  const { pictures, hookUrl } = setting
  const files = Object.fromEntries(Array.from({ length: 3 }, (_, at) => [`${at}.png`, pick(pictures.small, nth + at)]))
  const archive = zipOf({ ...files, 'broken.jpg': pick(pictures.hostile, nth), 'words.txt': Buffer.from('no picture') })
  const response = await post(setting, '/api/v2/batch', { format: 'webp', webhook_url: hookUrl }, { file: archive })
  if (response.status !== 202) return response.status
  const { id } = JSON.parse(response.text) as { id: string }
  await follow(setting, `/api/v2/batch/${id}/events`, nth % 2 ? 30 : 3_000)
  await call(setting, `/api/v2/batch/${id}/status`)
  await call(setting, `/api/v2/batch/${id}/result`)
  await call(setting, `/api/v2/batch/${id}`, { method: 'DELETE' })
  return response.status
}

/** A new user in a browser: signs up, creates a key, reads the usage, signs out. */
async function person(setting: SoakSetting): Promise<number> {
  const email = `${randomUUID()}@example.com`
  const response = await postJson(setting, '/api/auth/sign-up', { email, password: 'correct horse' })
  if (response.status !== 201) return response.status
  const { token } = JSON.parse(response.text) as { token: string }
  const own = { ...setting, key: token }
  await postJson(own, '/api/user/api-keys', { name: 'soak' })
  for (const path of ['/api/user', '/api/user/api-keys', '/api/v2/usage']) await call(own, path)
  await postJson(own, '/api/auth/sign-out', {})
  return response.status
}

async function repeatRequest(setting: SoakSetting, nth: number): Promise<number> {
  const headers = { 'idempotency-key': randomUUID() }
  const send = () => post(setting, v1('convert'), { format: 'webp' }, { image: pick(setting.pictures.small, nth) }, headers)
  await send()
  return statusOf(send())
}

/** Everything that clients do, well-behaved or not. */
export const kinds: readonly Kind[] = [
  {
    name: 'small pictures',
    share: 40,
    expected: [200],
    send: (to, nth) => statusOf(post(to, v1('convert'), { format: pick(formats, nth) }, { image: pick(to.pictures.small, nth) })),
  },
  {
    name: 'operations',
    share: 14,
    expected: [200],
    send(to, nth) {
      const { path, fields, files } = pick(exampleRequests, nth)
      const image = pick(to.pictures.small, Math.floor(nth / exampleRequests.length))
      const all = { image, watermark: pick(to.pictures.small, 1) }
      return statusOf(post(to, path, fields, Object.fromEntries(files.map((name) => [name, all[name]]))))
    },
  },
  {
    name: 'photographs',
    share: 3,
    expected: [200],
    send: (to, nth) =>
      statusOf(post(to, v1('convert'), { format: 'webp', width: '400' }, { image: pick(to.pictures.medium, nth) })),
  },
  {
    name: 'HEIC',
    share: 2,
    expected: [200],
    send: (to) => statusOf(post(to, v1('convert'), { format: 'jpeg' }, { image: to.pictures.heic })),
  },
  {
    name: 'hostile files',
    share: 10,
    expected: [200, ...REFUSALS],
    send: (to, nth) => statusOf(post(to, v1('convert'), { format: 'webp' }, { image: pick(to.pictures.hostile, nth) })),
  },
  {
    name: 'refused',
    share: 9,
    expected: [401, ...REFUSALS],
    send(to, nth) {
      const image = pick(to.pictures.small, nth)
      const all = [
        () => post({ ...to, key: `sk_${'B'.repeat(48)}` }, v1('convert'), {}, { image }),
        () => post(to, v1('resize'), { width: '-1' }, { image }),
        () => post(to, v1('convert'), {}, { image: Buffer.from('no picture') }),
        () => post(to, v1('crop'), { x: '9999', y: '0', width: '5', height: '5' }, { image }),
      ]
      return statusOf(pick(all, nth)())
    },
  },
  {
    name: 'too large',
    share: 1,
    expected: [400],
    send: (to) => statusOf(post(to, v1('convert'), {}, { image: Buffer.alloc(60 * 1024 * 1024) })),
  },
  {
    name: 'hang-ups',
    share: 6,
    expected: [0],
    send: (to, nth) =>
      hangUp(to, v1('convert'), multipartOf({ format: 'avif' }, pick(to.pictures.medium, nth)), SOAK_BOUNDARY, nth % 2 ? 1 : 0.5),
  },
  { name: 'repeats', share: 4, expected: [200], send: repeatRequest },
  { name: 'batches', share: 2, expected: [202, 429], send: batch },
  { name: 'people', share: 2, expected: [201, 429], send: person },
  {
    name: 'AI',
    share: 3,
    expected: [200, 207, 429],
    send(to, nth) {
      const image = dataUri(pick(to.pictures.small, nth % 2))
      return statusOf(
        nth % 2
          ? postJson(to, '/v1/ai/rename', { images: [{ data: image, originalName: `${nth}.png` }] })
          : postJson(to, '/v1/ai/smart-crop', { image }),
      )
    },
  },
  {
    name: 'backgrounds',
    share: 1,
    expected: [200, 422, 429],
    send: (to, nth) => statusOf(post(to, '/api/background-remove', {}, { image: pick(to.pictures.small, nth % 3) })),
  },
  {
    name: 'pages and metrics',
    share: 3,
    expected: [200],
    send: (to, nth) => statusOf(call(to, pick(['/', '/docs', '/metrics', '/readyz', '/openapi.json', '/api/v2/usage'], nth))),
  },
]
