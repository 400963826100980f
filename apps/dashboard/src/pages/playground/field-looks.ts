import { imageFormats } from '@pixelmill/codecs/image-formats'

/** How a parameter is displayed. The OpenAPI document defines its range and default; a field without a row is displayed too. */
export interface FieldLook {
  readonly label: string
  readonly unit?: string
  readonly slider?: true
  /** Step of the slider; 1 by default. */
  readonly step?: number
  /** Two side by side. */
  readonly half?: true
  /** Few short choices, all visible. */
  readonly segments?: true
  /** In the section that is collapsed at first. */
  readonly rare?: true
  /** Set by the tool itself. */
  readonly hidden?: true
  /** A text that is a colour. */
  readonly colour?: true
  /** Labels of its values, if they differ from `choiceWords`. */
  readonly words?: Readonly<Record<string, string>>
  readonly hint?: string
  /** Placeholder of an empty field. */
  readonly empty?: string
}

export const fieldLooks: Readonly<Record<string, FieldLook>> = {
  format: { label: 'Format', segments: true },
  quality: { label: 'Quality', slider: true },
  visualQuality: { label: 'Score to reach (SSIMULACRA2)', rare: true, empty: 'none' },
  maxBytes: { label: 'Most bytes', unit: 'B', rare: true, empty: 'any' },
  effort: {
    label: 'CPU for fewer bytes',
    segments: true,
    rare: true,
    words: { fast: 'Fast', balanced: 'Balanced', small: 'Small' },
  },
  width: { label: 'Width', unit: 'px', half: true, empty: 'auto' },
  height: { label: 'Height', unit: 'px', half: true, empty: 'auto' },
  x: { label: 'Left', unit: 'px', half: true },
  y: { label: 'Top', unit: 'px', half: true },
  fit: { label: 'Fit' },
  grayscale: { label: 'Shades of grey', rare: true },
  blur: { label: 'Blur', slider: true, step: 0.1, rare: true, empty: 'none' },
  rotate: { label: 'Rotate', unit: '°', slider: true, rare: true },
  position: { label: 'Position' },
  opacity: { label: 'Opacity', unit: '%', slider: true },
  scale: { label: 'Size', slider: true, step: 0.01 },
  gravity: { label: 'Keep' },
  enlarge: { label: 'Enlarge smaller pictures', rare: true },
  angle: { label: 'Angle', unit: '°', slider: true },
  threshold: { label: 'Tolerance', slider: true },
  top: { label: 'Above', unit: 'px', half: true },
  right: { label: 'Right', unit: 'px', half: true },
  bottom: { label: 'Below', unit: 'px', half: true },
  left: { label: 'Left', unit: 'px', half: true },
  background: { label: 'Colour', colour: true },
  sigma: { label: 'Radius', unit: 'px', slider: true, step: 0.1 },
  amount: { label: 'Amount', slider: true, step: 0.1 },
  color: { label: 'Colour', empty: '#ffffff', colour: true },
  image: { label: 'Picture', hidden: true },
  text: { label: 'Text' },
  margin: { label: 'Margin', slider: true, step: 0.01, rare: true },
  tile: { label: 'Repeat', rare: true },
  spacing: { label: 'Space between', slider: true, step: 0.1, rare: true },
  stroke: { label: 'Outline', empty: 'none', colour: true },
  font: { label: 'Font', rare: true, segments: true },
  operation: { label: 'What' },
  weight: { label: 'Weight', rare: true, segments: true },
  metadata: {
    label: 'Metadata',
    rare: true,
    words: { none: 'Remove all', copyright: 'Copyright only', all: 'All but places', 'all+gps': 'All, with places' },
  },
  icc: { label: 'Colours', rare: true, words: { srgb: 'Convert to sRGB', keep: 'As they are, with profile' } },
  hdr: { label: 'HDR', rare: true, words: { keep: 'Keep', drop: 'Drop' }, segments: true },
}

/** Labels of values that are not displayed as they are. */
export const choiceWords: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(imageFormats).map(([name, { title }]) => [name, title])),
  cover: 'Cover – fill, cut off',
  contain: 'Contain – add a border',
  fill: 'Fill – stretch',
  inside: 'Inside – fit within',
  outside: 'Outside – fit around',
  'top-left': 'Top left',
  'top-right': 'Top right',
  'bottom-left': 'Bottom left',
  'bottom-right': 'Bottom right',
  center: 'Centre',
  top: 'Top',
  right: 'Right',
  bottom: 'Bottom',
  left: 'Left',
  north: 'The top',
  northeast: 'The top right',
  east: 'The right',
  southeast: 'The bottom right',
  south: 'The bottom',
  southwest: 'The bottom left',
  west: 'The left',
  northwest: 'The top left',
  subject: 'The subject',
  same: 'Same',
  auto: 'Auto',
  best: 'Smallest',
  gif: 'GIF',
  tiff: 'TIFF',
  sans: 'Sans',
  serif: 'Serif',
  mono: 'Mono',
  normal: 'Normal',
  bold: 'Bold',
  upscale: 'Enlarge twice',
  denoise: 'Remove noise',
  deblur: 'Sharpen what is blurred',
}
