import type { OperationField } from '../../../api/image-operation.ts'
import type { FieldSettings, Value } from '../../playground/field-form.svelte.ts'
import { choiceWords, type FieldLook, fieldLooks } from '../../playground/field-looks.ts'
import type { Size } from '../../playground/geometry.ts'
import type { Draft } from './draft.svelte.ts'
import { type DraftOutput, type DraftStep, type Params, stepForm } from './draft-recipe.ts'
import { gravityPoint, regionAt } from './gravity-region.ts'
import { outputFields, outputLooks } from './output-fields.ts'

type Fields = readonly (readonly [name: string, field: OperationField])[]

/** Choices of a gravity that the recipe says in other words: a point, or for a crop by x and y. */
export const POINT = 'point'
export const FRAME = 'frame'

const gravityWords = { ...choiceWords, [POINT]: 'A focal point', [FRAME]: 'The frame on the picture' }

const plainValue = (value: unknown): Value => (typeof value === 'object' ? undefined : (value as Value))

const valuesOf = (fields: Fields, params: Params): Record<string, Value> =>
  Object.fromEntries(fields.map(([name, field]) => [name, plainValue(params[name]) ?? field.default]))

/** The parameter with its value; without it where that is the default. */
function withValue(fields: Fields, params: Params, name: string, value: unknown): Params {
  const field = fields.find(([each]) => each === name)?.[1]
  // A radius is a number of pixels, or a word.
  const spelling = field?.kind === 'text' && name === 'radius' && /^\d+$/.test(String(value)) ? Number(value) : value
  return { ...params, [name]: spelling === field?.default ? undefined : spelling }
}

/** The settings of a step, for its controls. @param size of the picture that it is done to */
export function stepSettings(draft: Draft, { id, name, params }: DraftStep, size: Size): FieldSettings {
  const isCrop = name === 'crop'
  const isMark = name === 'watermark'
  const hasCover = name !== 'resize' || (params.fit === 'cover' && params.width !== undefined && params.height !== undefined)
  const gravities = [...(isCrop ? [FRAME] : []), POINT]
  const fields: Fields = Object.entries(stepForm(name).fields).flatMap(([field, row]) => {
    if (field === 'gravity')
      return hasCover ? [[field, { ...row, choices: [...gravities, ...(row.choices ?? [])] }] as const] : []
    if (isCrop && (field === 'x' || field === 'y') && params.x === undefined) return []
    if (isMark && isOfOtherMark(field, params)) return []
    // Where it is a text, there is no mark without one.
    return [[field, isMark && field === 'text' ? { ...row, required: true as const } : row] as const]
  })
  const values = valuesOf(fields, params)
  if ('gravity' in values) {
    if (isCrop && params.x !== undefined) values.gravity = FRAME
    else if (typeof params.gravity === 'object') values.gravity = POINT
    else if (isCrop) values.gravity ??= 'center'
  }
  const looks: Readonly<Record<string, FieldLook>> = {
    ...fieldLooks,
    ...(fieldLooks.gravity && { gravity: { ...fieldLooks.gravity, words: gravityWords } }),
    margin: { label: 'Margin', slider: true, step: 0.01 },
    scaleBy: { label: 'Size of', rare: true, words: { width: 'The width', box: 'Width and height' } },
    blend: { label: 'Blend', rare: true },
    spacing: { label: 'Space between', slider: true, step: 0.1 },
    ...(name === 'roundCorners' || name === 'border'
      ? { radius: { label: 'Radius', hint: 'Pixels, such as 16, a share such as 20%, or max.' } }
      : {}),
  }
  const set = (field: string, value: Value): void => {
    // A control may change two parameters, one after the other.
    const now = draft.place(id)?.step.params ?? params
    const { x: _x, y: _y, gravity: _gravity, ...others } = now
    if (field !== 'gravity') draft.setParams(id, withValue(fields, now, field, value))
    else if (value === FRAME) draft.setParams(id, { ...others, ...regionAt(now, size) })
    else if (value === POINT) draft.setParams(id, { ...others, gravity: gravityPoint(now, size) })
    else draft.setParams(id, { ...others, ...withValue(fields, {}, field, value) })
  }
  return { fields, looks, values, set }
}

const ofText = ['text', 'color', 'stroke', 'font', 'weight']

/** The text's own settings where the mark is a picture; the space between repetitions where there are none. */
function isOfOtherMark(field: string, { image, tile }: Params): boolean {
  if (field === 'spacing') return tile !== true
  if (field === 'position' || field === 'margin') return tile === true
  return field === 'image' || (image !== undefined && ofText.includes(field))
}

const allOutputFields = Object.entries(outputFields)

/** The settings of an output, for its controls. */
export function outputSettings(draft: Draft, { id, settings }: DraftOutput): FieldSettings {
  const values = valuesOf(allOutputFields, settings)
  const set = (field: string, value: Value): void => {
    // The format is always said, for readers of the recipe; a name has no spaces.
    const spelling = field === 'name' ? String(value ?? '').replaceAll(/[^A-Za-z0-9_-]+/g, '-') : value
    draft.setOutput(
      id,
      field === 'format' ? { ...settings, format: spelling } : withValue(allOutputFields, settings, field, spelling),
    )
  }
  return { fields: allOutputFields, looks: outputLooks, values, set }
}
