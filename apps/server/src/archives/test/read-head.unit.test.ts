import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { inspect, sourceOf } from '../../../test/support/archives.ts'
import { DEFLATED, extraField, STORED, type ZipEntry, zipFile } from '../../../test/support/zip.ts'
import { isRefusal } from '../../contract/api-error.ts'
import { readHead } from '../read-entry.ts'

const noise = randomBytes(100_000)
const behind: ZipEntry = { name: 'z.png', data: noise }

async function head(entry: ZipEntry, bytes = 64) {
  const archive = zipFile([entry, behind])
  const [first] = await inspect(archive)
  const source = sourceOf(archive)
  return { head: await readHead(source, first ?? assert.fail(), bytes), noted: source.noted }
}

for (const [name, method] of [
  ['stored', STORED],
  ['deflated', DEFLATED],
] as const) {
  for (const [what, data] of [
    ['noise', noise],
    ['zeros', Buffer.alloc(1_000_000)],
    ['a few bytes', noise.subarray(0, 5)],
  ] as const) {
    test(`the first bytes of ${what}, ${name}, come in one read of little`, async () => {
      const { head: first, noted } = await head({ data, method })
      assert.deepEqual(first, data.subarray(0, 64))
      assert.ok(noted.reads === 1 && noted.bytes < 1_300, JSON.stringify(noted))
    })
  }
}

test('a long extra field takes more reads, a descriptor none', async () => {
  const extra = extraField(0x7777, Buffer.alloc(3_000))
  assert.deepEqual((await head({ data: noise, method: DEFLATED, local: { extra } })).head, noise.subarray(0, 64))
  const { head: first, noted } = await head({ data: noise, method: DEFLATED, descriptor: true })
  assert.deepEqual([first, noted.reads], [noise.subarray(0, 64), 1])
})

test('data that cannot be unpacked, or stands under another name, is an error of the image', async () => {
  const wrong = [
    { data: noise, packed: Buffer.alloc(500, 0xff), method: DEFLATED, bytes: 600 },
    { data: noise, local: { name: 'b.png' } },
  ]
  for (const entry of wrong) await assert.rejects(head(entry), (error) => isRefusal(error) && error.code === 'invalid_image')
})
