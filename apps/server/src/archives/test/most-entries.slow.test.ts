import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skipByDay } from '@pixelmill/codecs/test/support/at-night'
import { ARCHIVE_LIMITS, inspect } from '../../../test/support/archives.ts'
import { file, modifiedAt, writtenArchive, zipPrograms } from '../../../test/support/planned-archives.ts'
import { planArchive } from '../plan-archive.ts'

/** Archives of as many entries as there can be. */

const many = (count: number) => Array.from({ length: count }, (_, nth) => file(`${nth}.webp`, Buffer.from(`${nth}`)))
const zip64 = writtenArchive(many(65_535))

for (const { name, skip, findsNothingWrong } of zipPrograms) {
  test(`${name} finds nothing wrong with ZIP64`, { skip: skip || skipByDay }, async () => findsNothingWrong(await zip64))
}

test('65,535 entries take ZIP64', { skip: skipByDay }, async () => {
  const bytes = await zip64
  const read = await inspect(bytes, { ...ARCHIVE_LIMITS, entries: 65_535 })
  assert.equal(read.at(-1)?.path, '65534.webp')
  const smaller = planArchive(many(65_534), modifiedAt)
  assert.equal(bytes.length - smaller.size, 30 + 46 + 2 * 10 + 5 + 56 + 20)
})
