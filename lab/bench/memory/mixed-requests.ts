import type { Photographs } from '@pixelmill/codecs/test/photographs/photographs'
import type { PlannedRequest } from '../load/load-plan.ts'

const convert = (image: string, fields: Record<string, string>): PlannedRequest => ({
  path: '/api/v1/convert',
  files: { image },
  fields,
})

/** Twenty requests of every kind, by expected frequency. */
const mixOf = (medium: string, large: string, icon: string): PlannedRequest[] => [
  ...Array.from({ length: 3 }, () => convert(medium, { format: 'jpeg', width: '512' })),
  ...Array.from({ length: 4 }, () => convert(medium, { format: 'webp', width: '512' })),
  ...Array.from({ length: 2 }, () => convert(medium, { format: 'avif', width: '512' })),
  convert(medium, { format: 'png', width: '512' }),
  ...Array.from({ length: 2 }, () => convert(large, { format: 'webp', width: '1200' })),
  convert(large, { format: 'webp' }),
  ...Array.from({ length: 2 }, () => convert(icon, { format: 'webp' })),
  ...Array.from({ length: 2 }, () => ({
    path: '/api/v1/resize',
    files: { image: medium },
    fields: { width: '800', height: '600' },
  })),
  { path: '/api/v1/crop', files: { image: medium }, fields: { x: '100', y: '100', width: '640', height: '480' } },
  { path: '/api/v1/watermark', files: { image: medium, watermark: icon }, fields: { opacity: '60' } },
  { path: '/api/v1/optimize', files: { image: medium } },
]

/** The mix on each of the pictures, shuffled in a fixed order, so that equal requests do not follow each other. */
export function mixedRequests({ files: { medium, large, small } }: Photographs): PlannedRequest[] {
  const all = medium.flatMap((file, at) => mixOf(file, large[at % large.length] ?? file, small[0] ?? file))
  const step = 97 // A prime that does not divide the length of the list.
  return all.flatMap((_, at) => all[(at * step) % all.length] ?? [])
}
