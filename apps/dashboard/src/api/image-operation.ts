/** A form field of an image operation or another tool, as the OpenAPI document describes it. */
export interface OperationField {
  readonly kind: 'choice' | 'integer' | 'number' | 'boolean' | 'text'
  readonly choices?: readonly string[]
  /** A choice is sent as a number. */
  readonly numeric?: true
  readonly min?: number
  readonly max?: number
  /** Characters of a text. */
  readonly longest?: number
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

/** A tool of the playground that is no image operation: its endpoint, and the fields that are plain values (`rules.style` in `rules`). */
export interface ToolFormShape {
  readonly path: string
  readonly summary: string
  readonly fields: Readonly<Record<string, OperationField>>
}

/** A kind of step of a recipe. */
export interface StepForm {
  readonly label: string
  readonly summary: string
  /** Whether POST /api/user/previews shows it. */
  readonly hasPreview: boolean
  /** Values of a new step, where it needs some. */
  readonly first?: Readonly<Record<string, string | number | boolean>>
  readonly fields: Readonly<Record<string, OperationField>>
}
