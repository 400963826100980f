import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bmpReader } from '../../src/bmp/reader.ts'
import { recognise } from '../../src/index.ts'
import { UnreadableError } from '../../src/reader.ts'
import { times } from '../support/at-night.ts'
import { everyBmp } from '../support/bmp.ts'
import { randomFrom } from '../support/damage.ts'

const MUTATIONS = times({ seldom: 5_000, often: 100_000 })
/** Larger pictures are left out, as those over the limit are in the service: all work is then in proportion to this. */
const MOST_PIXELS = 100_000
const HEADER_BYTES = 140
const EXTREMES = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff]

/** One to four changes, most of them to the header. */
function damage(file: Buffer, random: (below: number) => number): Buffer {
  let bytes = Buffer.from(file)
  for (let changes = 1 + random(4); changes > 0; changes--) {
    const at = random(random(4) === 0 ? bytes.length : Math.min(bytes.length, HEADER_BYTES))
    const kind = random(8)
    if (kind === 0) bytes = bytes.subarray(0, at)
    else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(random(bytes.length))])
    else if (kind < 4 && at + 4 <= bytes.length) bytes.writeUInt32LE(EXTREMES[random(EXTREMES.length)] ?? 0, at)
    else bytes[at] = random(256)
    if (bytes.length === 0) return bytes
  }
  return bytes
}

/** What came of it: each decoded picture must be whole. */
async function outcome(bytes: Buffer): Promise<'decoded' | 'embedded' | 'too large' | 'refused'> {
  try {
    const { width, height, alpha, embedded } = await bmpReader.header(bytes)
    if (embedded) {
      assert.ok(['jpeg', 'png'].includes(recognise(embedded)?.name ?? 'none'))
      return 'embedded'
    }
    assert.ok(Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0)
    if (width * height > MOST_PIXELS) return 'too large'
    const bitmap = await bmpReader.decode(bytes)
    assert.deepEqual([bitmap.width, bitmap.height], [width, height])
    assert.equal(bitmap.data.length, width * height * bitmap.channels)
    assert.ok(alpha || bitmap.channels !== 4)
    assert.ok(!bitmap.icc || bitmap.channels !== 1)
    return 'decoded'
  } catch (error) {
    if (error instanceof UnreadableError) return 'refused'
    throw error
  }
}

const files = everyBmp()

for (const [name, file] of Object.entries(files)) {
  test(`${name}: whole, it is read; cut anywhere, it is a picture or refused`, async () => {
    assert.equal(await outcome(file), name === 'jpeg' || name === 'png' ? 'embedded' : 'decoded')
    for (let length = 0; length < file.length; length++) await outcome(file.subarray(0, length))
  })
}

test(`${MUTATIONS} damaged files are pictures or refused`, async () => {
  const random = randomFrom(20)
  const all = Object.values(files)
  const counts = new Map<string, number>()
  for (let mutation = 0; mutation < MUTATIONS; mutation++) {
    const bytes = damage(all[mutation % all.length] ?? Buffer.alloc(0), random)
    const result = await outcome(bytes).catch((cause: unknown) => {
      throw new Error(`mutation ${mutation}: ${bytes.toString('base64')}`, { cause })
    })
    counts.set(result, (counts.get(result) ?? 0) + 1)
  }
  // The mutations are neither all harmless nor all fatal.
  for (const kind of ['decoded', 'refused']) assert.ok((counts.get(kind) ?? 0) > MUTATIONS / 10, `${kind}: ${counts.get(kind)}`)
})
