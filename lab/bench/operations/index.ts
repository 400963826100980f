import type { OperationName } from '@pixelmill/engine/tasks/index'
import type { PlannedRequest } from '../load/load-plan.ts'

/** The pictures of an operation: three of each, since some take a second. */
export interface Sources {
  readonly medium: readonly string[]
  readonly heic: readonly string[]
  readonly icon: string
}

/** One operation without an equivalent in the bare sharp loop or ipx. */
export interface MeasuredOperation {
  readonly name: string
  readonly title: string
  requests(sources: Sources): readonly PlannedRequest[]
  /** Images in one round, a multiple of three. */
  readonly block: number
}

const each = (files: readonly string[], path: string, fields: Record<string, string> = {}): readonly PlannedRequest[] =>
  files.map((image) => ({ path, files: { image }, fields }))

const rows: Record<OperationName, MeasuredOperation> = {
  convert: {
    name: 'heic',
    title: '2 MP HEIC → 512 px WebP',
    requests: ({ heic }) => each(heic, '/api/v1/convert', { format: 'webp', width: '512' }),
    block: 24,
  },
  resize: {
    name: 'heic-heic',
    title: '2 MP HEIC → 1200 px HEIC',
    requests: ({ heic }) => each(heic, '/api/v1/resize', { width: '1200', height: '1200' }),
    block: 6,
  },
  optimize: {
    name: 'optimize',
    title: 'optimize a 2 MP JPEG',
    requests: ({ medium }) => each(medium, '/api/v1/optimize'),
    block: 12,
  },
  crop: {
    name: 'crop',
    title: '640 × 480 px out of a 2 MP JPEG',
    requests: ({ medium }) => each(medium, '/api/v1/crop', { x: '100', y: '100', width: '640', height: '480' }),
    block: 48,
  },
  watermark: {
    name: 'watermark',
    title: 'an icon on a 2 MP JPEG',
    requests: ({ medium, icon }) =>
      medium.map((image) => ({ path: '/api/v1/watermark', files: { image, watermark: icon }, fields: { opacity: '60' } })),
    block: 24,
  },
  flip: {
    name: 'flip',
    title: 'a 2 MP JPEG upside down',
    requests: ({ medium }) => each(medium, '/api/v1/flip'),
    block: 24,
  },
  flop: {
    name: 'flop',
    title: 'a 2 MP JPEG as in a mirror',
    requests: ({ medium }) => each(medium, '/api/v1/flop'),
    block: 24,
  },
}

/** Each operation once, those of the conversions with HEIC. */
export const measuredOperations: readonly MeasuredOperation[] = Object.values(rows)
