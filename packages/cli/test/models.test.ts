import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { runtimePackages } from '@pixelmill/vision/inference/session'
import { darknessModel, rowModel } from '@pixelmill/vision/test/support/onnx-file'
import sharp from 'sharp'
import { type AddOptions, orderedModel } from '../src/models/ordered-model.ts'
import { download } from '../src/outbound/download.ts'
import { counts, folderOf, pixelmill } from './pixelmill.ts'

const needsRuntime = { skip: runtimePackages() ? false : 'the runtime of models is missing: npm ci --prefix onnx' }

const model = darknessModel()
const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** A dark square in front of a light wall. */
const picture = await sharp({ create: { width: 120, height: 80, channels: 3, background: '#e8e4e0' } })
  .composite([{ input: { create: { width: 50, height: 40, channels: 3, background: '#181018' } }, left: 30, top: 20 }])
  .png()
  .toBuffer()

/** A server of models on this machine; its address ends with a slash. */
async function modelServer(t: TestContext): Promise<string> {
  const server = createServer(({ url }, response) => {
    if (url === '/moved.onnx') response.writeHead(302, { location: '/cut.onnx' }).end()
    else if (url === '/away.onnx') response.writeHead(302, { location: 'http://example.com/cut.onnx' }).end()
    else if (url === '/half.onnx')
      response.writeHead(200, { 'content-length': model.length }).write(model.subarray(0, 50), () => response.destroy())
    else if (url === '/long.onnx') response.end(Buffer.alloc(5_000_000))
    else if (url === '/loop.onnx') response.writeHead(302, { location: '/loop.onnx' }).end()
    else if (url === '/cut.onnx') response.end(model)
    else response.writeHead(404).end('none')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('a model is added by one command, and removes backgrounds from then on, until it is removed', needsRuntime, async (t) => {
  const folder = await folderOf(t, { 'in/a.png': picture })
  const server = await modelServer(t)
  const run = (...args: readonly string[]) => pixelmill(args, { cwd: folder })
  const cut = () => run('remove-background', 'in', '--out', 'out', '--json', '--jobs', '1', '--min-confidence', '1')

  const without = await cut()
  assert.deepEqual([without.code, without.lines()[0]?.error?.code], [1, 'background_not_separable'], without.errors)
  assert.match(without.lines()[0]?.error?.message ?? '', /pixelmill models add isnet-general-use$/)

  const { code, errors } = await run('models', 'add', `${server}moved.onnx`, '--sha256', sha256Of(model), '--name', 'dark')
  assert.equal(code, 0, errors)
  assert.match(errors, /^dark\n {2}from .*moved\.onnx\n[\s\S]*licence {2}not known to us: check it[\s\S]*dark works/)
  assert.match((await run('models', 'list')).output.toString(), /^dark +\d+ B +not known +in use /m)

  const withModel = await cut()
  assert.deepEqual([withModel.code, counts(withModel)], [0, { done: 1 }], withModel.errors)
  const { data, info } = await sharp(join(folder, 'out/a.png')).raw().toBuffer({ resolveWithObject: true })
  const alphaAt = (x: number, y: number) => data[(y * info.width + x) * 4 + 3]
  assert.deepEqual([info.channels, alphaAt(55, 40), alphaAt(5, 5)], [4, 255, 0])

  const removal = await run('models', 'remove', 'dark')
  assert.equal(removal.code, 0, removal.errors)
  assert.deepEqual(await readdir(join(folder, 'data/models')), ['models.json'])
})

const hash = ['--sha256', sha256Of(model)] as const
const orders: readonly (readonly [place: string, options: AddOptions, message: RegExp])[] = [
  ['rmbg', {}, /^rmbg is no model that we know \(u2netp, isnet-general-use, birefnet-lite\), no https URL, and no file\.$/],
  ['https://example.com/cut.onnx', {}, /^A URL needs --sha256/],
  ['https://example.com/cut.onnx', { sha256: 'abc' }, /^--sha256 must be 64 hexadecimal digits/],
  ['https://example.com/u2netp.onnx', { sha256: sha256Of(model) }, /^--name: u2netp must be small letters/],
  ['u2netp', { sha256: sha256Of(model) }, /^u2netp has its hash, name and preset in our table/],
  ['package.json', { from: 'package.json' }, /^--from is another address of a model that we know/],
]
for (const [place, options, message] of orders)
  test(`models add ${place} ${JSON.stringify(options)} is refused`, () => {
    assert.throws(() => orderedModel(place, options), { name: 'InvalidArgumentError', message })
  })

test('a download that fails says why', async (t) => {
  const server = await modelServer(t)
  const folder = await folderOf(t, {})
  const never = new AbortController().signal
  const faults: readonly (readonly [address: string, message: RegExp])[] = [
    [`${server}none.onnx`, /answered with status 404\.$/],
    [`${server}half.onnx`, /half\.onnx cannot be fetched: .+\.$/],
    [`${server}away.onnx`, /^http:\/\/example\.com\/cut\.onnx is not an https URL/],
    [`${server}long.onnx`, /long\.onnx sends more than 4 MB, which is not expected\.$/],
    [`${server}loop.onnx`, /leads through more than 5 redirects\.$/],
    ['http://127.0.0.1:1/cut.onnx', /cannot be fetched: .+\.$/],
    ['ftp://example.com/cut.onnx', /is not an https URL/],
  ]
  const options = { path: join(folder, 'cut.onnx'), mostBytes: 4e6, allowsHttp: false, signal: never, onProgress() {} }
  for (const [address, message] of faults)
    await assert.rejects(download({ ...options, address: new URL(address) }), { name: 'RunFailure', message })
  const full = { ...options, path: '/dev/full', address: new URL(`${server}cut.onnx`) }
  if (process.platform === 'linux') await assert.rejects(download(full), { message: 'The disk of /dev/full is full.' })
})

test('what is not the expected file, or no model, is not kept', needsRuntime, async (t) => {
  const folder = await folderOf(t, { 'rows.onnx': rowModel(), 'cut.onnx': model, 'bad/models/models.json': '{' })
  const add = (data: string, ...args: readonly string[]) =>
    pixelmill(['models', 'add', ...args], { cwd: folder, env: { DATA_DIR: data } })
  const [wrong, rows, badList] = await Promise.all([
    add('a', 'u2netp', '--from', 'cut.onnx'),
    add('b', 'rows.onnx'),
    add('bad', 'cut.onnx', ...hash),
  ])
  assert.match(
    wrong.errors,
    /^cut\.onnx is another file: its SHA-256 is [0-9a-f]{64}, and 309c[0-9a-f]{60} was expected\. It was not kept\.$/m,
  )
  assert.match(rows.errors, /^The model does not work here: The model failed: it takes \[1, 64\]/m)
  assert.match(badList.errors, /^bad\/models\/models\.json is no list of models/m)
  assert.deepEqual([wrong.code, rows.code, badList.code], [2, 2, 2])
  assert.deepEqual(await readdir(join(folder, 'a/models')), [])
  assert.deepEqual(await readdir(join(folder, 'b/models')), ['models.json'])
  assert.deepEqual(JSON.parse(await readFile(join(folder, 'b/models/models.json'), 'utf8')), { models: {} })
})
