import { choiceWords } from '../../playground/field-looks.ts'
import type { DraftStep, Params, StepName } from './draft-recipe.ts'

const text = (value: unknown): string => (typeof value === 'string' ? (choiceWords[value] ?? value) : String(value))
const isPoint = (value: unknown): value is { readonly x: number; readonly y: number } =>
  typeof value === 'object' && value !== null

function gravityWords(gravity: unknown): readonly string[] {
  if (gravity === undefined) return []
  if (isPoint(gravity)) return [`around ${Math.round(gravity.x * 100)} %, ${Math.round(gravity.y * 100)} %`]
  return [text(gravity).toLowerCase()]
}

function sizeWords({ width, height }: Params): string {
  if (width !== undefined && height !== undefined) return `${width} × ${height}`
  return width === undefined ? `${height ?? '?'} high` : `${width} wide`
}

const words: { readonly [Name in StepName]?: (params: Params) => readonly string[] } = {
  crop: (params) => [
    sizeWords(params),
    ...(params.x === undefined ? gravityWords(params.gravity) : [`from ${params.x}, ${params.y}`]),
  ],
  resize: (params) => [
    sizeWords(params),
    ...(params.fit === undefined ? [] : [String(params.fit)]),
    ...gravityWords(params.gravity),
  ],
  rotate: ({ angle }) => [`${angle ?? '?'}°`],
  extend: ({ top = 0, right = 0, bottom = 0, left = 0 }) => [`${top}, ${right}, ${bottom}, ${left} px`],
  border: ({ width, color = '#000000' }) => [`${width ?? '?'} px`, String(color)],
  watermark: ({ text: mark, image, position = 'bottom-right', tile }) => [
    mark === undefined ? `picture ${image ?? ''}`.trim() : `“${mark}”`,
    tile === true ? 'repeated' : text(position).toLowerCase(),
  ],
}

/** The settings of a step in a few words; empty for a step without any. */
export function stepInWords({ name, params }: Pick<DraftStep, 'name' | 'params'>): string {
  const own = words[name]
  if (own) return own(params).join(' · ')
  return Object.entries(params)
    .map(([parameter, value]) => (Object.keys(params).length === 1 ? text(value) : `${parameter} ${text(value)}`))
    .join(', ')
}
