import assert from 'node:assert/strict'
import { codecs, recognise } from '@pixelmill/codecs'
import { mapInIsobmff } from '@pixelmill/codecs/hdr/in-isobmff'
import { mapInJpeg } from '@pixelmill/codecs/hdr/in-jpeg'
import type { GainMapValues } from '@pixelmill/codecs/hdr/values'
import { describedMap, mapDescription, withMap } from '@pixelmill/codecs/hdr/write-jpeg'
import { jpegContainer } from '@pixelmill/codecs/metadata/containers/jpeg'
import { packetOf } from '@pixelmill/codecs/metadata/xmp'
import { readHeader } from '@pixelmill/codecs/pixels/header'
import { openImage } from '@pixelmill/codecs/pixels/open'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'

/** A gain of up to two stops, and of none in the middle of the samples. */
export const values: GainMapValues = {
  channels: [{ min: -2, max: 2, gamma: 1, offsetSdr: 0.015625, offsetHdr: 0.015625 }],
  capacityMin: 0,
  capacityMax: 2,
  baseIsHdr: false,
}

/** The sample that means no gain. */
export const NONE = 128

/** Full gain in the top-left quarter, least in the top-right one, none below. */
export async function quarters(width: number, height: number): Promise<Buffer> {
  const half = { width: width / 2, height: height / 2 }
  const part = (grey: string) => solid(half.width, half.height, grey).png().toBuffer()
  return solid(width, height, '#808080')
    .composite([
      { input: await part('#ffffff'), left: 0, top: 0 },
      { input: await part('#000000'), left: half.width, top: 0 },
    ])
    .removeAlpha()
    .toColourspace('b-w')
    .png()
    .toBuffer()
}

/** A JPEG with its map behind it, as phones write it. */
export function withGainMap(jpeg: Buffer, map: Buffer, of = values): Buffer {
  const gains = describedMap(map, of)
  return withMap(jpegContainer.write(jpeg, { xmp: packetOf(mapDescription(gains.length)) }, { width: 0, height: 0 }), gains)
}

/** 240 × 160 pixels, with a map of half the size. */
export const hdrJpeg = async (of = values): Promise<Buffer> =>
  withGainMap(
    await photo(240, 160).jpeg().toBuffer(),
    await sharp(await quarters(120, 80))
      .jpeg({ quality: 95 })
      .toBuffer(),
    of,
  )

export interface ReadMap {
  readonly values: GainMapValues
  readonly width: number
  readonly height: number
  /** The sample at a place between 0 and 1. */
  at(x: number, y: number): number
  /** The samples in the middle of the quarters: top left, top right, bottom left, bottom right. */
  readonly quarters: readonly number[]
}

/** The map of a file. */
export async function mapOf(file: Buffer): Promise<ReadMap> {
  const gainMap = recognise(file)?.name === 'jpeg' ? mapInJpeg(file) : mapInIsobmff(file)
  assert.ok(gainMap && 'channels' in gainMap.values, 'it has no gain map')
  const image = await openImage(gainMap.picture, await readHeader(gainMap.picture), codecs.png)
  const { data, info } = await image.pixels.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const at = (x: number, y: number) =>
    data[(Math.min(height - 1, Math.floor(y * height)) * width + Math.min(width - 1, Math.floor(x * width))) * channels] ?? 0
  return {
    values: gainMap.values,
    width,
    height,
    at,
    quarters: [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)],
  }
}

/** Whether samples are those expected, but for what encoding changes. */
export function assertAlike(actual: readonly number[], expected: readonly number[], about = ''): void {
  const isAlike =
    actual.length === expected.length && actual.every((sample, index) => Math.abs(sample - (expected[index] ?? 0)) <= 8)
  assert.ok(isAlike, `${about}: ${actual.join()} instead of ${expected.join()}`)
}
