import { type CutOut, testCutOut } from './cut-out.ts'
import { blue, bust, checkerboard, disc, drifting, red, stripes } from './drawings.ts'

/** More subjects and backgrounds than those of remove-background.test.ts. */
const separable: readonly CutOut[] = [
  ['a disc on a gradient', disc, red, drifting, 0.97],
  ['a disc on a texture', disc, red, checkerboard, 0.95],
  ['a disc of many colours', disc, stripes, blue, 0.95],
  ['a bust that the lower edge cuts', bust, stripes, drifting, 0.95],
]
for (const row of separable) testCutOut(row)
