import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metadataRows } from '../src/pages/playground/info/metadata-rows.ts'

const textsOf = (info: Parameters<typeof metadataRows>[0]) => metadataRows(info).map(({ label, text }) => `${label}: ${text}`)

test('codes of EXIF are said in words, and numbers with their units', () => {
  const exif = {
    ExposureTime: 0.004,
    FNumber: 2.8,
    FocalLength: 24,
    ExposureBiasValue: 0.3333333,
    MeteringMode: 5,
    Flash: 16,
    ResolutionUnit: 2,
  }
  assert.deepEqual(textsOf({ exif }), [
    'Exposure time: 1/250 s',
    'F number: f/2.8',
    'Focal length: 24 mm',
    'Exposure bias value: +0.3333 EV',
    'Metering mode: pattern',
    'Flash: did not fire, always off',
    'Resolution unit: inch',
  ])
})

test('codes that the standard does not have, texts and lists stay as they are', () => {
  const exif = {
    MeteringMode: 77,
    Make: 'Maker',
    LensSpecification: [24, 70, 2.8, 2.8],
    FocalLengthIn35mmFilm: 36,
    PixelXDimension: 640,
  }
  assert.deepEqual(textsOf({ exif, iptc: { keywords: ['a', 'b'] } }), [
    'Keywords: a, b',
    'Metering mode: 77',
    'Make: Maker',
    'Lens specification: 24, 70, 2.8, 2.8',
    'Focal length in 35 mm film: 36 mm',
    'Pixel X dimension: 640',
  ])
})

test('the flash says whether it fired, and by what mode', () => {
  const flash = (bits: number) => metadataRows({ exif: { Flash: bits } })[0]?.text
  assert.deepEqual([0x00, 0x09, 0x19, 0x5f, 0x20].map(flash), [
    'did not fire',
    'fired, always on',
    'fired, automatic',
    'fired, automatic, against red eyes',
    'none',
  ])
})

test('the place is five decimals of each', () => {
  assert.deepEqual(textsOf({ exif: { gps: { latitude: 43.4674481, longitude: 11.8851266 } } }), ['Place: 43.46745, 11.88513'])
})
