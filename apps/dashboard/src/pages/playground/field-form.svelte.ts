import type { OperationField } from '../../api/image-operation.ts'
import { type FieldLook, fieldLooks } from './field-looks.ts'
import type { Params } from './send-image.ts'

export type Value = string | number | boolean | undefined
export type Fields = Readonly<Record<string, OperationField>>
export type Looks = Readonly<Record<string, FieldLook>>

/** What controls show and change. */
export interface FieldSettings {
  readonly fields: readonly (readonly [name: string, field: OperationField])[]
  readonly looks: Looks
  readonly values: Readonly<Record<string, Value>>
  set(name: string, value: Value): void
}

/** The settings of a tool: a value for each of its fields. */
export class FieldForm implements FieldSettings {
  readonly fields: readonly (readonly [name: string, field: OperationField])[]
  readonly looks: Looks
  values = $state<Record<string, Value>>({})

  constructor(fields: Fields, looks: Looks = fieldLooks) {
    this.fields = Object.entries(fields)
    this.looks = looks
    this.values = Object.fromEntries(this.fields.map(([name, { default: usual }]) => [name, usual]))
  }

  set(name: string, value: Value): void {
    this.values[name] = value
  }

  /** Whether a value is sent: if it differs from the default, and always the format, for readers of the code. */
  protected isSaid(name: string, field: OperationField): boolean {
    const value = this.values[name]
    return value !== undefined && value !== '' && (value !== field.default || name === 'format')
  }

  /** The values to send. */
  params(): Params {
    return Object.fromEntries(
      this.fields.flatMap(([name, field]) =>
        this.isSaid(name, field) ? [[name, this.values[name] as string | number | boolean]] : [],
      ),
    )
  }

  isComplete(): boolean {
    return this.fields.every(([name, { required }]) => !required || this.values[name] !== undefined)
  }
}
