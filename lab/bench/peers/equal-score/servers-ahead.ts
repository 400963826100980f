import { ms, ratio } from '../../report/numbers.ts'
import type { Table } from '../../report/table.ts'
import type { Run } from '../kept-runs.ts'
import { figureOfKind } from './figure-of-kind.ts'
import { type RowName, rows, type SweptCell, scores } from './sweep-cell.ts'

/** Bytes that differ by less are equal: figures are read off between two qualities. */
const EQUAL_BYTES = 1.02
const [, HIGH] = scores

/**
 * Which servers take less CPU than Pixelmill for no more bytes at the score, and why: bare sharp divides the difference into what the
 * service costs around the rendering and what the rendering itself does.
 */
export function serversAhead({ date, cells }: Run<SweptCell>): Table {
  return {
    title: `Servers ahead of Pixelmill at SSIMULACRA2 ${HIGH}, and why`,
    columns: ['picture', 'server', 'ahead of', 'CPU of its', 'bytes of its', 'service ms', 'rendering ms', 'because'],
    rows: cells.flatMap((cell) => ownRows.flatMap((own) => rowsAheadOf(own, cell))),
    notes: [
      `${date}. Less CPU for at most ${EQUAL_BYTES} of the bytes, on all pictures; each scored against the reduction of its kind, of stored samples or of light.`,
      'Service: what Pixelmill takes beyond bare sharp: an upload where the others read a file, accounts and their ledger in PostgreSQL, a confined process for each core. Rendering: what bare sharp takes beyond the server.',
    ],
  }
}

/** `small` takes its time on purpose. */
const ownRows = ['Pixelmill', 'Pixelmill fast'] as const satisfies readonly RowName[]

function rowsAheadOf(ownRow: (typeof ownRows)[number], cell: SweptCell): readonly (readonly string[])[] {
  const own = figureOfKind(cell, ownRow)
  const bare = figureOfKind(cell, 'bare sharp')
  if (!own || !bare) return []
  // Bare sharp has the effort of `balanced`.
  const isDivided = ownRow === 'Pixelmill'
  return rows.flatMap((row) => {
    const figure = figureOfKind(cell, row)
    const family = familyOf(row)
    if (!figure || !family || figure.reached < cell.pictures) return []
    if (figure.ms >= own.ms || figure.bytes > own.bytes * EQUAL_BYTES) return []
    return [
      [
        cell.title,
        row,
        ownRow,
        ratio(figure.ms / own.ms),
        ratio(figure.bytes / own.bytes),
        isDivided ? ms(own.ms - bare.ms) : '',
        isDivided ? ms(bare.ms - figure.ms) : '',
        reasons[family][kindOf(cell)],
      ],
    ]
  })
}

type Family = 'imgproxy' | 'oximg'
const familyOf = (row: RowName): Family | undefined => (['imgproxy', 'oximg'] as const).find((family) => row.startsWith(family))

type Kind = 'JPEG' | 'WebP' | 'AVIF' | 'full-size'
const kindOf = ({ title }: SweptCell): Kind =>
  (['full-size', 'JPEG', 'WebP', 'AVIF'] as const).find((kind) => title.includes(kind)) ?? 'full-size'

const SAME_LIBVIPS = 'the same libvips and encoder in one process that nothing isolates'
const OWN_RESAMPLER = 'a resampler of its own, in AVX2 and one pass with the decoder, in one process that nothing isolates'

const reasons: Readonly<Record<Family, Readonly<Record<Kind, string>>>> = {
  imgproxy: { JPEG: SAME_LIBVIPS, WebP: SAME_LIBVIPS, AVIF: SAME_LIBVIPS, 'full-size': SAME_LIBVIPS },
  oximg: {
    JPEG: OWN_RESAMPLER,
    WebP: OWN_RESAMPLER,
    AVIF: 'SVT-AV1 4.1 in place of libaom, and a resampler of its own; sharp has no SVT-AV1',
    'full-size': 'as many bytes of the same encoder, libwebp, in a build of its own and without libvips around it',
  },
}
