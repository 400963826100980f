/** How a parameter is shown. What it is, with range and default, the OpenAPI document says; a field without a row is shown all the same. */
export interface FieldLook {
  readonly label: string
  readonly unit?: string
  readonly slider?: true
  /** Steps of the slider; 1 unless told. */
  readonly step?: number
  /** Two beside each other. */
  readonly half?: true
  /** Few and short choices, all in sight. */
  readonly segments?: true
  /** In the part that is folded away at first. */
  readonly rare?: true
  /** Set by the tool itself. */
  readonly hidden?: true
  /** Words for its values, where they are not those of `choiceWords`. */
  readonly words?: Readonly<Record<string, string>>
  readonly hint?: string
  /** Said while the field is empty. */
  readonly empty?: string
}

export const fieldLooks: Readonly<Record<string, FieldLook>> = {
  format: { label: 'Format', segments: true },
  quality: { label: 'Quality', slider: true },
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
}

/** Words for values that are read as they are written elsewhere. */
export const choiceWords: Readonly<Record<string, string>> = {
  webp: 'WebP',
  avif: 'AVIF',
  jpeg: 'JPEG',
  png: 'PNG',
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
}
