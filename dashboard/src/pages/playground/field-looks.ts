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

/** Labels of values that are not displayed as they are. */
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
