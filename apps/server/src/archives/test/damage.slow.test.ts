import assert from 'node:assert/strict'
import { test } from 'node:test'
import { times } from '@pixelmill/codecs/test/support/at-night'
import { randomFrom } from '@pixelmill/codecs/test/support/damage'
import { outcome } from '../../../test/support/archives.ts'
import { DEFLATED, endPart, overlappingBomb, type ZipEntry, zipFile } from '../../../test/support/zip.ts'

const MUTATIONS = times({ seldom: 10_000, often: 100_000 })
const EXTREMES = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff]
/** More than this cannot be needed for an archive of a few kilobytes, and for 1,032 times that of one entry. */
const MOST_MEMORY = 100_000_000

const entries: readonly ZipEntry[] = [
  { name: 'a.png', data: Buffer.alloc(700, 'a pixel'), method: DEFLATED },
  { name: 'b/', data: Buffer.alloc(0) },
  { name: 'b/ä.jpg', data: Buffer.alloc(300, 'another'), descriptor: true },
  { name: 'b/c.gif', data: Buffer.alloc(500, 'a third'), method: DEFLATED, zip64: true },
]
const archives = [
  zipFile(entries),
  zipFile(entries, { zip64: true, comment: Buffer.from('a comment') }),
  zipFile(entries, { before: Buffer.alloc(100, 'MZ') }),
  overlappingBomb(20, 100_000),
]

/** One to four changes; half of them near the end, where the directory is. */
function damagedArchive(archive: Buffer, random: (below: number) => number): Buffer {
  let bytes = Buffer.from(archive)
  for (let changes = 1 + random(4); changes > 0 && bytes.length > 0; changes--) {
    const reach = random(2) === 0 ? bytes.length : Math.min(bytes.length, 400)
    const at = bytes.length - 1 - random(reach)
    const kind = random(16)
    if (kind === 0) bytes = bytes.subarray(0, at)
    else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(random(bytes.length))])
    else if (kind < 5 && at + 4 <= bytes.length) bytes.writeUInt32LE(EXTREMES[random(EXTREMES.length)] ?? 0, at)
    else if (kind < 8 && at + 2 <= bytes.length) bytes.writeUInt16LE((EXTREMES[random(7)] ?? 0) & 0xffff, at)
    else bytes[at] = kind < 12 ? random(256) : (bytes[at] ?? 0) ^ (1 << random(8))
  }
  return bytes
}

test('cut at any byte, an archive is refused', async () => {
  for (const archive of archives) {
    for (let length = 0; length < archive.length; length++) assert.equal(await outcome(archive.subarray(0, length)), 'refused')
  }
})

test('cut at any kilobyte, a large one is refused', async () => {
  const many = Array.from({ length: 500 }, (_, nth) => ({ name: `${nth}.png`, data: Buffer.alloc(2_000, 'pixel') }))
  const archive = zipFile(many)
  assert.equal(await outcome(archive), 'read')
  for (let length = 0; length < archive.length; length += 1_024) {
    assert.equal(await outcome(archive.subarray(0, length)), 'refused')
  }
})

test(`${MUTATIONS} damaged archives are read, read in part, or refused`, async () => {
  const random = randomFrom(5)
  const counts = new Map<string, number>()
  let mostGrowth = 0
  for (let mutation = 0; mutation < MUTATIONS; mutation++) {
    const bytes = damagedArchive(archives[mutation % archives.length] ?? Buffer.alloc(0), random)
    const before = process.memoryUsage.rss()
    const result = await outcome(bytes).catch((cause: unknown) => {
      throw new Error(`mutation ${mutation}: ${bytes.toString('base64')}`, { cause })
    })
    // Of one archive, since what earlier ones left to the garbage collector is still there.
    mostGrowth = Math.max(mostGrowth, process.memoryUsage.rss() - before)
    counts.set(result, (counts.get(result) ?? 0) + 1)
  }
  assert.ok(mostGrowth < MOST_MEMORY, `${mostGrowth} bytes`)
  // The mutations are neither all harmless nor all fatal.
  for (const kind of ['read', 'partly', 'refused'])
    assert.ok((counts.get(kind) ?? 0) > MUTATIONS / 40, `${kind}: ${counts.get(kind)}`)
})

test('a comment full of signatures is searched once', async () => {
  const signatures = Buffer.alloc(0xffff, 'PK\x05\x06')
  assert.equal(await outcome(endPart({ comment: signatures }, 0, 0, 0)), 'refused')
})

test('a bomb within a bomb is one file, and is not opened', async () => {
  const inner = overlappingBomb(100, 1_000_000)
  const nestedValues = Array.from({ length: 16 }, (_, nth) => ({ name: `lib ${nth}.zip`, data: inner, method: DEFLATED }))
  assert.equal(await outcome(zipFile(nestedValues)), 'read')
})
