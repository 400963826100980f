import { type StepName, stepForm, stepLabels } from '../draft/draft-recipe.ts'

interface StepRow {
  readonly name: StepName
  readonly label: string
  /** What it does, in a few words. */
  readonly hint: string
}

/** The most frequent first, and other words by which people look for them. */
const words: Readonly<Record<StepName, readonly [hint: string, others?: string]>> = {
  crop: ['Cut to a frame', 'cut trim region area'],
  resize: ['Width, height, fit and focal point', 'scale size cover contain thumbnail smart crop gravity'],
  watermark: ['A text or a logo on the picture', 'text logo overlay copyright caption mark'],
  rotate: ['By any angle', 'turn angle straighten'],
  extend: ['Around the picture: it becomes larger', 'padding margin canvas frame'],
  border: ['A line inside the edges', 'outline stroke'],
  roundCorners: ['In pixels, percent, or a circle', 'radius circle avatar'],
  removeBackground: ['Leaves the subject', 'cut out transparent'],
  background: ['A colour where it is transparent', 'flatten white'],
  trim: ['Cut off a border of one colour', 'whitespace edges'],
  flip: ['Top to bottom', 'mirror vertical'],
  flop: ['Left to right', 'mirror horizontal'],
  sharpen: ['Clearer edges', 'focus unsharp'],
  blur: ['Soft, by a radius', 'gaussian'],
  pixelate: ['Blocks of one colour', 'mosaic censor'],
  grayscale: ['Black and white', 'gray monochrome desaturate'],
  modulate: ['Brightness, saturation, hue, lightness', 'colour color vivid'],
  contrast: ['More, or less', 'levels'],
  vibrance: ['Dull colours first', 'saturation'],
  gamma: ['The middle tones', 'brighten darken exposure'],
  tint: ['One hue', 'duotone colorize'],
  sepia: ['As an old photograph', 'vintage brown'],
  negate: ['Invert the colours', 'invert negative'],
  opacity: ['Transparent to a degree', 'transparency alpha fade'],
  enhance: ['Less noise and blur, or twice the size', 'denoise deblur upscale super resolution'],
}

const rows = (Object.keys(words) as StepName[]).map((name) => ({
  row: { name, label: stepLabels[name], hint: words[name][0] } satisfies StepRow,
  text: [name, stepLabels[name], ...words[name], stepForm(name).summary].join(' ').toLowerCase(),
}))

/** Kinds of steps whose name, label or description has all the words; those whose label begins with them first. */
export function stepsFor(search: string): readonly StepRow[] {
  const query = search.trim().toLowerCase()
  if (query === '') return rows.map(({ row }) => row)
  const parts = query.split(/\s+/)
  return rows
    .filter(({ text }) => parts.every((part) => text.includes(part)))
    .map(({ row }) => row)
    .toSorted((one, other) => Number(startsWith(other, query)) - Number(startsWith(one, query)))
}

const startsWith = ({ label, name }: StepRow, query: string): boolean =>
  label.toLowerCase().startsWith(query) || name.toLowerCase().startsWith(query)
