/** A form field of an image operation, as the OpenAPI document describes it. */
export interface OperationField {
  readonly kind: 'choice' | 'integer' | 'number' | 'boolean'
  readonly choices?: readonly string[]
  readonly min?: number
  readonly max?: number
  readonly default?: string | number | boolean
  readonly required?: true
  readonly description: string
}

export interface ImageOperation {
  readonly summary: string
  readonly description: string
  /** The answer is called <stem>.<extension>. */
  readonly stem: string
  readonly files: readonly ('image' | 'watermark')[]
  readonly fields: Readonly<Record<string, OperationField>>
}
