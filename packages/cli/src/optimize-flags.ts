import { optimizeOptions, optimizeRequest } from '@pixelmill/engine/library/requests'
import { InvalidArgumentError } from 'commander'
import { type OptionNames, optionFault } from './option-faults.ts'
import { type Optimization, versionOf } from './work.ts'

/** The options of `pixelmill optimize`, as text. */
export interface OptimizeFlags {
  readonly quality?: string
  readonly lossless?: boolean
  readonly visualQuality?: string
  readonly maxBytes?: string
  readonly metadata?: string
}

/** @throws InvalidArgumentError naming the option */
export function optimizationOfFlags({ lossless = false, ...flags }: OptimizeFlags): Optimization {
  const { quality, visualQuality, maxBytes } = flags
  if (lossless && [quality, visualQuality, maxBytes].some((value) => value !== undefined))
    throw new InvalidArgumentError('--lossless changes no pixel: leave out --quality, --visual-quality and --max-bytes.')
  const read = optimizeOptions.safeParse(lossless ? { ...flags, quality: 100 } : flags)
  if (!read.success) throw optionFault(read.error, optionNames, '--quality')
  const { recipe } = optimizeRequest(read.data)
  return { recipe, optimize: read.data, hashes: [], version: versionOf(recipe, []) }
}

const optionNames: OptionNames = {
  quality: '--quality',
  visualQuality: '--visual-quality',
  maxBytes: '--max-bytes',
  metadata: '--metadata',
}
