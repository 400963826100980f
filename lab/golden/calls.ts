/** A call of one of the five image endpoints, without its files. */
export interface GoldenCall {
  readonly endpoint: 'convert' | 'resize' | 'crop' | 'watermark' | 'optimize'
  readonly fields: Readonly<Record<string, string>>
}

const targets = ['webp', 'avif', 'jpeg', 'png'] as const
const fits = ['cover', 'contain', 'fill', 'inside', 'outside'] as const
const positions = ['top-left', 'top-right', 'bottom-left', 'bottom-right', 'center'] as const

const pick = <T>(list: readonly [T, ...T[]], index: number): T => list[index % list.length] ?? list[0]

/** The five calls for the file with this index: parameters rotate, so that 40 files cover every format, fit and position. */
export const callsFor = (index: number): readonly GoldenCall[] => [
  { endpoint: 'convert', fields: { format: pick(targets, index), ...convertExtras(index) } },
  { endpoint: 'resize', fields: { width: '160', height: '120', fit: pick(fits, index) } },
  { endpoint: 'crop', fields: { x: '1', y: '2', width: '24', height: '20' } },
  { endpoint: 'watermark', fields: { position: pick(positions, index), opacity: '60' } },
  { endpoint: 'optimize', fields: index % 3 === 0 ? {} : { quality: String(60 + (index % 40)) } },
]

function convertExtras(index: number): Readonly<Record<string, string>> {
  const extras: readonly [Readonly<Record<string, string>>, ...Readonly<Record<string, string>>[]] = [
    {},
    { width: '300' },
    { quality: '90', rotate: '90' },
    { grayscale: 'true', width: '120', height: '120', fit: 'contain' },
    { blur: '1.5', rotate: '15' },
    // Refused: the error for a wrong value must not change either.
    { quality: '101' },
  ]
  return pick(extras, index)
}
