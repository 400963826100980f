import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { iccName } from '../src/icc-name.ts'

const profileOf = async (name: string) =>
  (
    await sharp(
      await sharp({ create: { width: 8, height: 8, channels: 3, background: '#123' } })
        .jpeg()
        .withIccProfile(name)
        .toBuffer(),
    ).metadata()
  ).icc ?? Buffer.alloc(0)

/** A profile of version 2 with the tag `desc` alone. */
function withName(name: string, length = name.length + 1): Buffer {
  const tag = Buffer.concat([Buffer.from('desc\0\0\0\0', 'latin1'), Buffer.alloc(4), Buffer.from(`${name}\0`, 'latin1')])
  tag.writeUInt32BE(length, 8)
  const table = Buffer.alloc(16)
  table.writeUInt32BE(1, 0)
  table.write('desc', 4, 'latin1')
  table.writeUInt32BE(144, 8)
  table.writeUInt32BE(tag.length, 12)
  return Buffer.concat([Buffer.alloc(128), table, tag])
}

test('a profile is named by its description, in version 4 and in version 2', async () => {
  assert.equal(iccName(await profileOf('srgb')), 'sRGB')
  assert.equal(iccName(withName('Adobe RGB (1998)')), 'Adobe RGB (1998)')
})

test('a damaged profile has no name, or a shorter one, and never throws', async () => {
  const whole = await profileOf('p3')
  for (let length = 0; length < whole.length; length += 7) assert.doesNotThrow(() => iccName(whole.subarray(0, length)))
  assert.equal(iccName(Buffer.alloc(200, 0xff)), undefined)
  assert.equal(iccName(withName('Wide\x07Gamut', 0xffff_ffff)), 'Wide Gamut')
  assert.equal(iccName(Buffer.alloc(0)), undefined)
})
