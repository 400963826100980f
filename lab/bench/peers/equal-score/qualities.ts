import type { Cell } from '../cells.ts'
import type { ContestantName } from '../index.ts'

/** Numbers on a contestant's own scale whose scores lie around 60, 75 and 85, ascending. */
export function qualitiesOf(name: ContestantName, format: Cell['rendering']['format']): readonly number[] {
  if (name === 'Pixelmill' || name === 'bare sharp') return own
  if (format !== 'avif') return format === 'webp' ? libwebp : libjpeg
  return name.startsWith('oximg') ? svt : libaom
}

const own = [25, 45, 60, 75, 86, 95]
const libjpeg = [25, 45, 60, 75, 86, 95]
const libwebp = [20, 50, 70, 83, 92, 98]
const libaom = [30, 44, 55, 66, 78, 90]
const svt = [20, 35, 48, 60, 72, 86]
