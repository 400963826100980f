import type { LoadResult } from '../load/load-plan.ts'
import type { Watched } from '../measure/foreign-share.ts'
import { median } from '../measure/median.ts'
import { roles, sumOf } from '../measure/tree-usage.ts'
import { kilobytes, ms, percent, perSecond, ratio } from '../report/numbers.ts'
import type { Table } from '../report/table.ts'
import type { Round } from './compare.ts'
import type { Conversion } from './conversion.ts'
import type { Reference } from './reference.ts'
import type { Speed } from './sweep.ts'

export interface Measured {
  readonly conversion: Conversion
  readonly rounds: readonly Watched<Round>[]
  readonly speeds: readonly Speed[]
}

const over = (rounds: readonly Watched<Round>[], value: (round: Round) => number) => rounds.map(({ result }) => value(result))
const middle = (rounds: readonly Watched<Round>[], value: (round: Round) => number) => median(over(rounds, value))

/** Where rendering is cheap, the fixed cost of a request weighs more. */
const barFor = (bareMs: number) => (bareMs >= 50 ? 1.08 : 1.25)

const referenceNames = ['ipx', 'nginx'] as const

/** The result of a reference, and ours relative to it; dashes if it was not available or cannot do it. */
function besideReference(rounds: readonly Watched<Round>[], name: Reference['name']): readonly [string, string] {
  const both = rounds.flatMap(({ result: { ours, references } }) => {
    const theirs = references[name]
    return theirs ? [{ theirs: theirs.ms, share: sumOf(ours) / theirs.ms }] : []
  })
  if (both.length === 0) return ['–', '–']
  return [ms(median(both.map(({ theirs }) => theirs))), ratio(median(both.map(({ share }) => share)))]
}

export const cpuTable = (all: readonly Measured[]): Table => ({
  title: 'CPU for each image, at concurrency 8',
  columns: [
    'conversion',
    'Pixelmill ms',
    'bare loop ms',
    'ratio',
    'from–to',
    'bar',
    ...referenceNames.flatMap((name) => [`${name} ms`, `of ${name}`]),
    'foreign CPU',
  ],
  rows: all.map(({ conversion, rounds }) => {
    const ours = middle(rounds, (one) => sumOf(one.ours))
    const bare = middle(rounds, (one) => one.bareMs)
    const ratios = over(rounds, (one) => sumOf(one.ours) / one.bareMs)
    return [
      conversion.title,
      ms(ours),
      ms(bare),
      ratio(median(ratios)),
      `${ratio(Math.min(...ratios))}–${ratio(Math.max(...ratios))}`,
      `${ratio(barFor(bare))} ${median(ratios) <= barFor(bare) ? 'met' : 'MISSED'}`,
      ...referenceNames.flatMap((name) => besideReference(rounds, name)),
      percent(Math.max(...rounds.map(({ foreignShare }) => foreignShare))),
    ]
  }),
  notes: [
    'Pixelmill: user and system time of all processes below `npm start`, npm and PostgreSQL included; the load generator is not.',
    'Bare loop: sharp alone in one process, a lane for each core, the same encoder settings, pictures in memory. ipx: its own HTTP server, sharp and defaults, pictures on disk, the same encoder quality.',
    'nginx: its image_filter (libgd), for JPEG into JPEG, the same encoder quality. It serves GET requests for files on its disk: it reads no upload, queries no database and counts no call; it neither applies EXIF orientation nor converts colours.',
    'Medians of interleaved rounds; the ratio is the median of the ratios within a round. Foreign CPU: the largest share of the machine that others used.',
  ],
})

/** NaN if there was none. */
const bytesEach = (load: LoadResult | undefined) => (load ? load.outputBytes / load.succeeded : Number.NaN)
const orDash = (text: (value: number) => string, value: number) => (Number.isNaN(value) ? '–' : text(value))

export const bytesTable = (all: readonly Measured[]): Table => ({
  title: 'Bytes of one answer (kB, mean)',
  columns: ['conversion', 'Pixelmill', 'bare loop', ...referenceNames],
  rows: all.map(({ conversion, rounds }) => [
    conversion.title,
    kilobytes(middle(rounds, (one) => one.load.outputBytes / one.load.succeeded)),
    kilobytes(middle(rounds, (one) => one.bare.outputBytes / conversion.block)),
    ...referenceNames.map((name) =>
      orDash(
        kilobytes,
        middle(rounds, (one) => bytesEach(one.references[name]?.load)),
      ),
    ),
  ]),
})

export const roleTable = (all: readonly Measured[]): Table => ({
  title: 'Where the CPU of an image goes (ms)',
  columns: ['conversion', ...roles, 'all', 'bare loop', 'load generator'],
  rows: all.map(({ conversion, rounds }) => [
    conversion.title,
    ...roles.map((role) => ms(middle(rounds, (one) => one.ours[role]))),
    ms(middle(rounds, (one) => sumOf(one.ours))),
    ms(middle(rounds, (one) => one.bareMs)),
    ms(middle(rounds, (one) => one.load.cpuMs / one.load.succeeded)),
  ]),
})

export const speedTable = (all: readonly Measured[]): Table => ({
  title: 'Images per second, and milliseconds from request to image (median / 95th percentile)',
  columns: [
    'conversion',
    'bare loop',
    ...(all[0]?.speeds ?? []).map(({ concurrency }) => `c = ${concurrency}`),
    ...referenceNames.map((name) => `${name}, c = 8`),
  ],
  rows: all.map(({ conversion, rounds, speeds }) => [
    conversion.title,
    perSecond(middle(rounds, (one) => (1000 * conversion.block) / one.bare.wallMs)),
    ...speeds.map(
      ({ imagesPerSecond, medianMs, p95Ms }) => `${perSecond(imagesPerSecond)} (${medianMs.toFixed(0)} / ${p95Ms.toFixed(0)})`,
    ),
    ...referenceNames.map((name) =>
      orDash(
        perSecond,
        middle(rounds, (one) => one.references[name]?.load.imagesPerSecond ?? Number.NaN),
      ),
    ),
  ]),
  notes: ['The load generator takes its own CPU from the same cores; the bare loop has none.'],
})
