import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readZip, storedFile } from '@pixelmill/dashboard/src/pages/batches/read-zip'
import { writeZip, zipBytes } from 'pixelmill-client/src/zip'
import { inspect, unpack } from '../support/archives.ts'
import { DEFLATED, zipFile } from '../support/zip.ts'

/** The ZIP that a page makes of a folder, and what it reads of one that is dropped. */

const when = Date.UTC(2026, 10, 22, 13, 37, 42)
const files = [
  { path: 'holiday/a.jpg', file: new Blob(['the first']), modifiedAt: when },
  { path: 'holiday/sea ü 海/b.png', file: new Blob([new Uint8Array(200_000).map((_, at) => at % 251)]), modifiedAt: when },
  { path: 'empty.gif', file: new Blob([]), modifiedAt: 0 },
]
const bytesOf = async (blob: Blob): Promise<Buffer> => Buffer.from(await blob.arrayBuffer())

test('what is packed comes out again as the server reads it, under the same names', async () => {
  const archive = await bytesOf(await writeZip(files))
  const entries = await inspect(archive)
  assert.deepEqual(
    entries.map(({ path, bytes, kind }) => [path, bytes, kind]),
    files.map(({ path, file }) => [path, file.size, 'file']),
  )
  for (const [nth, { file }] of files.entries()) assert.deepEqual(await unpack(archive, nth), await bytesOf(file))
  // 13:37:42 on 22 November 2026, as MS-DOS counts.
  assert.deepEqual(
    [archive.readUInt16LE(10), archive.readUInt16LE(12)],
    [(13 << 11) | (37 << 5) | 21, (46 << 9) | (11 << 5) | 22],
  )
})

test('its size is known before, and the same files give the same bytes', async () => {
  const archive = await writeZip(files)
  assert.equal(zipBytes(files.map(({ path, file }) => ({ path, bytes: file.size }))), archive.size)
  assert.deepEqual(await bytesOf(await writeZip(files)), await bytesOf(archive))
})

test('it tells how far it is, and stops when nobody wants it any more', async () => {
  const read: number[] = []
  await writeZip(files, { onread: (bytes) => read.push(bytes) })
  assert.deepEqual(read, [9, 200_009, 200_009])
  const goneController = new AbortController()
  const stoppedBlob = writeZip(files, { onread: () => goneController.abort(), signal: goneController.signal })
  await assert.rejects(stoppedBlob, { name: 'AbortError' })
})

test('of a ZIP it reads names and sizes, without folders', async () => {
  const archive = zipFile(
    [
      { name: 'a/', data: Buffer.alloc(0) },
      { name: 'a/ü.png', data: Buffer.alloc(5_000), method: DEFLATED },
      { name: 'old\\b.png', data: Buffer.alloc(7), extra: Buffer.from([1, 0, 1, 0, 9]), comment: Buffer.from('hi') },
    ],
    { comment: Buffer.from('a comment') },
  )
  assert.deepEqual(await readZip(new Blob([Uint8Array.from(archive)])), [
    { path: 'a/ü.png', bytes: 5_000, at: 32 },
    { path: 'old/b.png', bytes: 7, at: 92 },
  ])
})

test('a file that is stored in a ZIP is a part of it', async () => {
  const archive = await writeZip(files)
  const [, second] = (await readZip(archive)) ?? []
  assert.ok(second)
  const part = await storedFile(archive, second, 'image/png')
  assert.deepEqual([part.type, await bytesOf(part)], ['image/png', await bytesOf(files[1]?.file ?? part)])
})

test('a ZIP64 tells nothing here; what is no ZIP, or half of one, is refused', async () => {
  const blobOf = (bytes: Buffer) => new Blob([Uint8Array.from(bytes)])
  const archive = zipFile([{ name: 'a.png', data: Buffer.alloc(5_000) }])
  assert.equal(await readZip(blobOf(zipFile([{ name: 'a.png' }], { zip64: true }))), undefined)
  await assert.rejects(readZip(blobOf(Buffer.from('no ZIP at all'))), RangeError)
  await assert.rejects(readZip(blobOf(Buffer.alloc(0))), RangeError)
  await assert.rejects(readZip(blobOf(archive.subarray(0, archive.length - 30))), RangeError)
  await assert.rejects(readZip(blobOf(archive.subarray(1_000))), RangeError)
})
