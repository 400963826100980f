import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { heicReader } from '../../src/heic/reader.ts'
import { UnreadableError } from '../../src/reader.ts'
import { times } from '../support/at-night.ts'
import { corners } from '../support/corners.ts'
import { damage, randomFrom } from '../support/damage.ts'
import * as heif from '../support/heif.ts'
import { heifSequence } from '../support/heif-sequence.ts'

const ROUNDS = times({ seldom: 100, often: 1_000 })

const tile = await heif.encode(corners())
const translucent = await heif.encode(sharp(await corners().ensureAlpha(0.5).png().toBuffer()))
const { picture } = heif
const files: Readonly<Record<string, Buffer>> = {
  picture: heif.heif([picture(tile, heif.codePoints(12, 13), heif.turn(90), heif.aperture(tile, 8, 4, 40, 40))]),
  grid: heif.heif([heif.grid(2, 2, { width: 120, height: 90 }, [2, 3, 4, 5]), ...Array<heif.Item>(4).fill(picture(tile))]),
  alpha: heif.heif([picture(translucent), heif.alphaOf(translucent, 1), { ...picture(tile), references: [['thmb', 1]] }]),
  sequence: heifSequence([tile, tile]),
}

for (const [what, bytes] of Object.entries(files)) {
  test(`${ROUNDS} damaged files (${what}) end in pixels or a refusal`, async () => {
    const random = randomFrom(bytes.length)
    const outcomes = { pixels: 0, refused: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      const file = damage(bytes, random, bytes.indexOf('mdat'))
      try {
        const header = await heicReader.header(file)
        const { width, height, channels, data } = await heicReader.decode(file)
        assert.deepEqual([header.width, header.height], [width, height], `round ${round}`)
        assert.equal(data.length, width * height * channels, `round ${round}`)
        outcomes.pixels++
      } catch (error) {
        assert.ok(error instanceof UnreadableError, `round ${round}: ${String(error)}`)
        outcomes.refused++
      }
    }
    assert.ok(outcomes.pixels > ROUNDS / 20 && outcomes.refused > ROUNDS / 20, JSON.stringify(outcomes))
  })
}
