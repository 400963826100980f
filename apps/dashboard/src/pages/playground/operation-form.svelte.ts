import type { OperationField } from '../../api/image-operation.ts'
import { imageOperations } from '../../api/image-operations.ts'
import { FieldForm, type Value } from './field-form.svelte.ts'
import type { Size } from './geometry.ts'
import type { ShownPicture } from './shown-picture.ts'
import type { OperationName } from './tools.ts'

/** The picture to overlay. */
export interface Mark {
  readonly file: File
  /** The picture; undefined if the browser cannot display it. */
  readonly shown: ShownPicture | undefined
}

const usualQuality = imageOperations.convert.fields.quality.default

/** The settings of an operation, and the second file if it takes one. */
export class OperationForm extends FieldForm {
  readonly name: OperationName
  mark = $state.raw<Mark>()

  constructor(name: OperationName) {
    super(imageOperations[name].fields)
    this.name = name
  }

  /** Required fields without a default, set from the picture: half its size, or its middle. */
  suit({ width, height }: Size): void {
    const half = (side: number) => Math.max(1, Math.round(side / 2))
    const quarter = (side: number) => Math.floor((side - half(side)) / 2)
    if (this.name === 'resize') Object.assign(this.values, { width: half(width), height: half(height) })
    if (this.name === 'crop')
      Object.assign(this.values, { x: quarter(width), y: quarter(height), width: half(width), height: half(height) })
  }

  /** PNG is lossless by default: 100 means lossless there, and is the default of other formats. */
  override set(name: string, value: Value): void {
    super.set(name, value)
    if (name !== 'format') return
    const lossless = value === 'png'
    if (lossless && this.values.quality === usualQuality) this.values.quality = 100
    else if (!lossless && this.values.quality === 100) this.values.quality = usualQuality
  }

  protected override isSaid(name: string, field: OperationField): boolean {
    if (name === 'quality' && this.values.format === 'png')
      return this.values.quality !== 100 && this.values.quality !== undefined
    return super.isSaid(name, field)
  }

  override isComplete(): boolean {
    const needsMark = imageOperations[this.name].files.length > 1
    return super.isComplete() && (!needsMark || this.mark !== undefined)
  }
}
