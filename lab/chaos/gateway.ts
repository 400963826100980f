import { execFile, execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import type { BucketLocation } from 'pixelmill/bucket/location'
import { freePort } from './free-port.ts'
import { type KeptProcess, keepProcess } from './kept-process.ts'
import { until } from './until.ts'

const run = promisify(execFile)
const program = (name: string) => join(import.meta.dirname, '../../.ci', name)

export interface Gateway {
  readonly location: BucketLocation
  /** The process that speaks S3; another process, which is never killed, stores the data. */
  readonly kept: KeptProcess
  stop(): Promise<void>
}

/** Ceph's RADOS gateway in this folder, as in the tests, with an empty bucket. */
export async function startGateway(folder: string): Promise<Gateway> {
  const port = await freePort()
  const monitor = await freePort()
  // Its processes are not children of this one, and would keep running.
  const end = () => void execFileSync(program('stop-s3'), [folder])
  process.once('exit', end)
  const { stdout } = await run(program('start-s3'), [folder, String(port), String(monitor)])
  const [accessKeyId = '', secretAccessKey = ''] = /TEST_S3_KEY=(.*)/.exec(stdout)?.[1]?.split(':') ?? []
  const endpoint = `http://127.0.0.1:${port}`
  await letGo(folder)
  const command = ['radosgw', '-f', '-n', 'client.gateway', '--rgw-frontends', `beast endpoint=127.0.0.1:${port}`]
  const gatewayProcess = keepProcess(command, { CEPH_CONF: join(folder, 'ceph.conf') }, `${folder}.log`)
  await until('the gateway answers', async () => (await fetch(endpoint)).ok)
  const location = { endpoint, bucket: 'chaos', region: 'us-east-1', accessKeyId, secretAccessKey }
  await makeBucket(location)
  return {
    location,
    kept: gatewayProcess,
    async stop() {
      await gatewayProcess.stop('SIGKILL')
      process.off('exit', end)
      end()
    },
  }
}

/** Stops the gateway that was started last, and removes it from the clean-up list: our own process replaces it. */
async function letGo(folder: string): Promise<void> {
  const file = join(folder, 'pids')
  const pids = (await readFile(file, 'utf8')).trim().split('\n')
  process.kill(Number(pids.at(-1)), 'SIGKILL')
  await writeFile(file, `${pids.slice(0, -1).join('\n')}\n`)
}

async function makeBucket({ endpoint, bucket, region, accessKeyId, secretAccessKey }: BucketLocation): Promise<void> {
  const credentials = { accessKeyId, secretAccessKey }
  const client = new S3Client({ region, credentials, forcePathStyle: true, ...(endpoint !== undefined && { endpoint }) })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  client.destroy()
}
