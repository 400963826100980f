import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Choice, choose, type Known, type Trials } from '../../../recommend/choose.ts'
import type { Judgement } from '../../../recommend/judgement.ts'
import { type UseCaseName, useCases } from '../../../recommend/use-cases.ts'

type Tried = Trials['tried'][number]

const lossy = (format: Tried['format'], bytes: number, ssim = 0.97): Tried => ({ format, quality: 75, exact: false, bytes, ssim })
const exact = (format: Tried['format'], bytes: number): Tried => ({ format, quality: null, exact: true, bytes, ssim: 1 })

const plain: Trials = {
  format: 'png',
  width: 800,
  height: 600,
  trialWidth: 800,
  trialHeight: 600,
  frames: 1,
  transparent: false,
  grey: false,
  drawn: false,
  lossy: false,
  deep: false,
  cmyk: false,
  hasMore: false,
  promised: 0.97,
  tried: [],
  leftOut: [],
}
const judgement: Judgement = { kind: 'document', hasText: true, needsLossless: true, needsTransparency: false, reason: '' }

interface Row {
  readonly use?: UseCaseName
  readonly file: Partial<Trials>
  readonly tried: readonly Tried[]
  readonly judged?: Judgement
  /** Bytes of what is chosen, of those of the file, 1,000; or why the file stays. */
  readonly becomes: number | Choice['keeping']
}

const photograph = [lossy('jpeg', 500), lossy('webp', 400), lossy('avif', 300)]
const drawing = [exact('png', 900), exact('webp', 600), ...photograph]

const rows: Readonly<Record<string, Row>> = {
  'a photograph is the smallest that looks as promised': { file: {}, tried: photograph, becomes: 300 },
  'what looks worse than promised is last': { file: {}, tried: [lossy('jpeg', 500), lossy('avif', 300, 0.95)], becomes: 500 },
  'a hundredth below the promise is within what pictures differ': { file: {}, tried: [lossy('avif', 300, 0.9601)], becomes: 300 },
  'a drawing keeps its pixels': { file: { drawn: true }, tried: drawing, becomes: 600 },
  'a drawing with many shades does not, where that takes more than three times the bytes': {
    file: { drawn: true },
    tried: [exact('webp', 901), ...photograph],
    becomes: 300,
  },
  'it does where a model says so': {
    file: { drawn: true },
    tried: [exact('webp', 901), ...photograph],
    judged: judgement,
    becomes: 901,
  },
  'it stays rather than lose what a model says it needs': {
    file: { drawn: true },
    tried: [exact('webp', 1_001), ...photograph],
    judged: judgement,
    becomes: 'nothing smaller',
  },
  'a drawing that was lossy before has nothing to keep': {
    file: { drawn: true, lossy: true, format: 'jpeg' },
    tried: photograph,
    judged: judgement,
    becomes: 300,
  },
  'a file that loses something must be smaller by five per cent': {
    file: {},
    tried: [lossy('webp', 951)],
    becomes: 'nothing smaller',
  },
  'at five per cent it is': { file: {}, tried: [lossy('webp', 950)], becomes: 950 },
  'without loss a byte is enough': { file: { drawn: true }, tried: [exact('webp', 999)], becomes: 999 },
  'a format that browsers do not show is converted, though it grows': {
    file: { format: 'heic' },
    tried: [lossy('webp', 1_300)],
    becomes: 1_300,
  },
  'for general use it stays': {
    use: 'general',
    file: { format: 'heic' },
    tried: [lossy('webp', 1_300)],
    becomes: 'nothing smaller',
  },
  'an archive loses nothing': { use: 'archive', file: {}, tried: [exact('png', 900), exact('webp', 700)], becomes: 700 },
  'an archive keeps 16 bits': { use: 'archive', file: { deep: true }, tried: [exact('png', 100)], becomes: 'more colours' },
  'print keeps inks': { use: 'print', file: { cmyk: true }, tried: [lossy('jpeg', 100)], becomes: 'more colours' },
  'the web has no use for inks': { file: { cmyk: true }, tried: [lossy('jpeg', 100)], becomes: 100 },
  'pages behind the first are kept': { file: { hasMore: true }, tried: [], becomes: 'more inside' },
  'what moves stays where no format can hold it': { use: 'print', file: { frames: 9 }, tried: [], becomes: 'nothing suitable' },
}
for (const [name, { use = 'web', file, tried, judged, becomes }] of Object.entries(rows)) {
  test(name, () => {
    const knownValue: Known = {
      useCase: useCases[use],
      trials: { ...plain, ...file, tried: [...tried] },
      bytes: 1_000,
      judgement: judged,
    }
    const { chosen, keeping, ranked } = choose(knownValue)
    assert.equal(chosen?.bytes ?? keeping, becomes)
    assert.equal(ranked.length, tried.length)
    if (chosen) assert.equal(ranked[0], chosen)
  })
}
