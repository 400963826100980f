import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DeleteBucketCommand } from '@aws-sdk/client-s3'
import { until } from '@pixelmill/engine/test/support/until'
import { makeApiKey } from '../../src/accounts/api-keys.ts'
import { TARGETS } from '../support/database-targets.ts'
import { bucketOnServer } from '../support/s3-server.ts'
import { type Process, run } from '../support/server.ts'
import { root, serviceOf } from './files.ts'

/** Of the network 127.0.0.0/8, all of which is this machine: one for each api, on the same port, as containers have it. */
export const ADDRESSES = ['127.0.0.2', '127.0.0.3'] as const

export interface Composed {
  readonly apis: readonly Process[]
  readonly worker: Process
  /** The port of each api. */
  readonly port: string
  readonly key: string
}

async function freePort(): Promise<string> {
  const takenServer = createServer().listen(0, ADDRESSES[0])
  await new Promise((resolve) => takenServer.once('listening', resolve))
  const { port } = takenServer.address() as AddressInfo
  await new Promise((resolve) => takenServer.close(resolve))
  return String(port)
}

/** What `docker compose up --scale api=2` starts, with the environment of compose.yaml; only places are others. */
export async function startComposed(test: { readonly after: (end: () => Promise<void>) => void }): Promise<Composed> {
  const ends: (() => unknown)[] = []
  test.after(async () => {
    for (const end of ends.reverse()) await end()
  })
  const later = { after: (end: unknown) => void ends.push(end as () => unknown) }
  const target = await TARGETS[1].start(later)
  assert.ok('url' in target)
  const { location, client } = await bucketOnServer(later)
  const places = {
    DATABASE_URL: target.url,
    S3_ENDPOINT: location.endpoint ?? '',
    S3_BUCKET: location.bucket,
    S3_ACCESS_KEY_ID: location.accessKeyId,
    S3_SECRET_ACCESS_KEY: location.secretAccessKey,
  }
  // The service "bucket" makes it again.
  await client.send(new DeleteBucketCommand({ Bucket: location.bucket }))
  const [program, ...words] = serviceOf('bucket').command ?? []
  assert.equal(program, 'node')
  const env = { ...serviceOf('bucket').environment, ...places }
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: root, env })
  assert.match(stdout, /was made/)

  const dir = await mkdtemp(join(tmpdir(), 'pixelmill-composed-'))
  const port = await freePort()
  const key = makeApiKey()
  ends.push(() => rm(dir, { recursive: true, force: true }))
  const start = (service: string, address: string): Process => {
    const own = { HOST: address, PORT: port, METRICS_HOST: address, METRICS_PORT: '0', DATA_DIR: join(dir, address) }
    const settings = { ...serviceOf(service).environment, ...places, ...own, ADMIN_API_KEY: key }
    const startedProcess = run({ ...settings, RENDERERS: '1', TRUSTED_PROXIES: 'loopback', BURST_PER_MINUTE: '0' })
    ends.push(() => {
      startedProcess.child.kill('SIGTERM')
      return startedProcess.exited
    })
    return startedProcess
  }
  const apis = ADDRESSES.map((address) => start('api', address))
  const worker = start('worker', '127.0.0.4')
  const up = () => apis.every((api) => api.output().includes('listens on')) && worker.output().includes('works on')
  assert.ok(await until(async () => up(), 120_000), [...apis, worker].map((each) => each.output()).join('\n'))
  return { apis, worker, port, key }
}
