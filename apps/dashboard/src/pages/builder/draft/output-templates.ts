import { type DraftOutput, newOutput, newStep, type Params } from './draft-recipe.ts'

interface OutputTemplate {
  readonly label: string
  /** What it is for. */
  readonly hint: string
  readonly settings: Params
  readonly resize?: Params
  /** What transparency becomes, and the border of a picture that does not fill its box. */
  readonly background?: string
}

/** Files that sites need most often. */
export const outputTemplates: readonly OutputTemplate[] = [
  {
    label: 'Hero',
    hint: '1,600 pixels wide',
    settings: { name: 'hero', format: 'webp' },
    resize: { width: 1600, enlarge: false },
  },
  {
    label: 'Card',
    hint: '800 × 600, cut to the subject',
    settings: { name: 'card', format: 'webp' },
    resize: { width: 800, height: 600, fit: 'cover', gravity: 'subject' },
  },
  {
    label: 'Thumbnail',
    hint: '320 × 320, cut to the subject',
    settings: { name: 'thumb', format: 'webp' },
    resize: { width: 320, height: 320, fit: 'cover', gravity: 'subject' },
  },
  {
    label: 'Product',
    hint: '1,200 × 1,200 on white, nothing cut off',
    settings: { name: 'product', format: 'webp' },
    resize: { width: 1200, height: 1200, fit: 'contain' },
    background: '#ffffff',
  },
  {
    label: 'Social card',
    hint: '1,200 × 630, JPEG',
    settings: { name: 'social', format: 'jpeg' },
    resize: { width: 1200, height: 630, fit: 'cover' },
  },
  { label: 'As it is', hint: 'another format, the same size', settings: { name: 'image', format: 'avif' } },
]

/** The output of a template. @param names those that are in use */
export function outputOf({ settings, resize, background }: OutputTemplate, names: readonly string[]): DraftOutput {
  const name = uniqueName(String(settings.name), names)
  const steps = [
    ...(resize ? [newStep('resize', resize)] : []),
    ...(background === undefined ? [] : [newStep('background', { color: background })]),
  ]
  return newOutput({ ...settings, name }, steps)
}

/** hero, hero-2, hero-3 … */
export function uniqueName(name: string, names: readonly string[]): string {
  if (!names.includes(name)) return name
  const stem = name.replace(/-\d+$/, '')
  for (let nth = 2; ; nth++) if (!names.includes(`${stem}-${nth}`)) return `${stem}-${nth}`
}
