import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { recognise } from '@pixelmill/codecs'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { chooseHeicWriter } from '@pixelmill/engine/rendering/programs'
import { workingProcess } from '@pixelmill/engine/rendering/sandbox/processes'
import { works } from '@pixelmill/engine/test/rendering/confined'
import { childrenOf } from '../support/server.ts'

// A folder of temporary files for this test alone.
const folder = await mkdtemp(join(tmpdir(), 'pixelmill-heif-enc-'))
await chmod(folder, 0o755)
process.env.TMPDIR = folder
after(() => rm(folder, { recursive: true, force: true }))

const { encodeHeif } = await chooseHeicWriter('auto', { memoryMegabytes: 2_048, cpuSeconds: 600 })
const png = await photo(200, 150).resize(2_000, 1_500).png({ compressionLevel: 1 }).toBuffer()
const skip = encodeHeif ? process.platform !== 'linux' && 'Linux only' : 'heif-enc is not here, or cannot write HEVC'

/** The process that runs the program for us, once it does. */
async function running(): Promise<number> {
  for (let tries = 0; tries < 500; tries++) {
    for (const child of await childrenOf(process.pid)) {
      const pid = workingProcess(child.pid) ?? child.pid
      const [program = ''] = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
      if (basename(program) === 'heif-enc') return pid
    }
    await sleep(2)
  }
  throw new Error('heif-enc was never seen')
}

test('heif-enc is confined as a renderer is, but for the folder of its files', { skip }, async () => {
  const { done } = encodeHeif?.(png, 75) ?? assert.fail()
  const pid = await running()
  const [status, grantedText, environment] = await Promise.all(
    ['status', 'limits', 'environ'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')),
  )
  const folders = works.has('private_root') ? await readdir(`/proc/${pid}/root`) : []
  const bytes = await done
  assert.equal(recognise(bytes)?.name, 'heic')
  assert.match(environment ?? '', /^PATH=[^\0]*\0$/)
  if (works.has('no_new_privileges')) assert.match(status ?? '', /NoNewPrivs:\t1/)
  if (works.has('no_capabilities')) assert.match(status ?? '', /CapEff:\t0+\n/)
  if (works.has('memory_limit')) assert.match(grantedText ?? '', /Max data size +2147483648 +2147483648/)
  if (works.has('file_size_limit')) assert.match(grantedText ?? '', /Max file size +240000000 +240000000/)
  if (works.has('no_core_dump')) assert.match(grantedText ?? '', /Max core file size +0 +0/)
  if (works.has('private_root')) assert.ok(!folders.includes('root') && !folders.includes('home'), folders.join())
})

test('heif-enc that gets no memory fails, and leaves no file', {
  skip: skip || (!works.has('memory_limit') && 'no limit here'),
}, async () => {
  const { encodeHeif: starvedEncoding } = await chooseHeicWriter('auto', { memoryMegabytes: 24, cpuSeconds: 600 })
  await assert.rejects(starvedEncoding?.(png, 75).done ?? assert.fail(), /heif-enc ended with/)
  assert.deepEqual(await readdir(folder), [])
})

test('heif-enc ends when its caller cancels', { skip }, async () => {
  const { done, kill } = encodeHeif?.(png, 75) ?? assert.fail()
  const failedValue = assert.rejects(done, /SIGKILL/)
  await running()
  kill()
  await failedValue
})
