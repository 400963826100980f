import type { OperationField } from '../../api/image-operation.ts'
import { imageOperations } from '../../api/image-operations.ts'
import type { Params } from './send-image.ts'
import type { OperationName } from './tools.ts'

export type Values = Record<string, string | number | boolean | undefined>

export const fieldsOf = (name: OperationName): readonly (readonly [name: string, field: OperationField])[] =>
  Object.entries(imageOperations[name].fields as Readonly<Record<string, OperationField>>)

const defaultsOf = (name: OperationName): Values =>
  Object.fromEntries(fieldsOf(name).map(([field, { default: value }]) => [field, value]))

/** What is set for an operation: typed values, and the second file where it takes one. */
export class OperationForm {
  readonly name: OperationName
  values = $state<Values>({})
  watermark = $state.raw<File>()

  constructor(name: OperationName) {
    this.name = name
    this.values = defaultsOf(name)
  }

  /** Fields without a default that have to be sent, by the picture: half its size, or its middle. */
  suit({ width, height }: { readonly width: number; readonly height: number }): void {
    const half = (side: number) => Math.max(1, Math.round(side / 2))
    const quarter = (side: number) => Math.floor((side - half(side)) / 2)
    if (this.name === 'resize') Object.assign(this.values, { width: half(width), height: half(height) })
    if (this.name === 'crop')
      Object.assign(this.values, { x: quarter(width), y: quarter(height), width: half(width), height: half(height) })
  }

  /** PNG is lossless unless told otherwise: that is what 100 says there, and the default elsewhere. */
  formatChanged(): void {
    const lossless = this.values.format === 'png'
    const usual = imageOperations.convert.fields.quality.default
    if (lossless && this.values.quality === usual) this.values.quality = 100
    else if (!lossless && this.values.quality === 100) this.values.quality = usual
  }

  #isSaid(name: string, field: OperationField, value: Values[string]): value is string | number | boolean {
    if (value === undefined || value === '') return false
    if (name === 'quality' && this.values.format === 'png') return value !== 100
    return value !== field.default || name === 'format'
  }

  /** What is sent: what differs from the defaults, and the format, since a reader of the line wants to see it. */
  params(): Params {
    return Object.fromEntries(
      fieldsOf(this.name).flatMap(([name, field]) => {
        const value = this.values[name]
        return this.#isSaid(name, field, value) ? [[name, value]] : []
      }),
    )
  }

  isComplete(): boolean {
    const needsMark = imageOperations[this.name].files.length > 1
    return (
      fieldsOf(this.name).every(([name, { required }]) => !required || this.values[name] !== undefined) &&
      (!needsMark || this.watermark !== undefined)
    )
  }
}
