import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { profileOf } from '../src/icc-profile.ts'
import { codecs } from '../src/index.ts'
import { readHeader } from '../src/pixels/header.ts'
import { openImage } from '../src/pixels/open.ts'
import { chunk } from '../src/png-file.ts'
import { gammaCurve, SRGB } from '../src/rgb-space.ts'

/** Profiles that libpng drops for a fault of their headers, which no viewer minds. */

const curve = gammaCurve(1)
const LINEAR = profileOf({ ...SRGB, curves: [curve, curve, curve] })

/** The same curve for one channel: the class and curve of grey in the place of those of red. */
function greyProfile(): Buffer {
  const profile = Buffer.from(LINEAR)
  profile.write('GRAY', 16, 'latin1')
  profile.write('kTRC', profile.indexOf('rTRC'), 'latin1')
  return profile
}

/** ICC.1:2022, 7.2. */
const LENGTH_AT = 0
const VERSION_AT = 8
const INTENT_AT = 64
type Fault = (profile: Buffer) => Buffer

const faults: Readonly<Record<string, Fault>> = {
  none: (profile) => profile,
  'a rendering intent in the other byte order': (profile) => {
    profile.writeUInt32LE(1, INTENT_AT)
    return profile
  },
  'bytes behind its end': (profile) => Buffer.concat([profile, Buffer.alloc(6)]),
  'version 4 and an odd length': (profile) => {
    const longer = Buffer.concat([profile, Buffer.alloc(3)])
    longer.writeUInt8(4, VERSION_AT)
    longer.writeUInt32BE(longer.length, LENGTH_AT)
    return longer
  },
}

const IHDR_END = 33
function withProfile(png: Buffer, profile: Buffer): Buffer {
  const data = Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(profile)])
  return Buffer.concat([png.subarray(0, IHDR_END), chunk('iCCP', data), png.subarray(IHDR_END)])
}

const colour = (channels: 3 | 4) =>
  sharp({ create: { width: 8, height: 8, channels, background: { r: 128, g: 128, b: 128, alpha: 0.5 } } })

const pictures = {
  grey: [colour(3).toColourspace('b-w').png().toBuffer(), greyProfile],
  'grey with alpha': [colour(4).toColourspace('b-w').png().toBuffer(), greyProfile],
  RGB: [colour(3).png().toBuffer(), () => Buffer.from(LINEAR)],
  'grey of 16 bits': [colour(3).toColourspace('grey16').png().toBuffer(), greyProfile],
} as const

for (const [name, [png, profile]] of Object.entries(pictures))
  for (const [fault, apply] of Object.entries(faults))
    test(`a ${name} PNG is shown by its profile, with the fault: ${fault}`, async () => {
      const file = withProfile(await png, apply(profile()))
      const header = await readHeader(file)
      const { pixels, warnings } = await openImage(file, header, codecs.png)
      const [level = 0] = await pixels.toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer()
      // Half of all light, of which sRGB's code is 188.
      assert.ok(Math.abs(level - 188) <= 1, `${level}`)
      assert.deepEqual(warnings, [])
    })
