import { z } from 'zod'

/**
 * A file, of a part of a form and of an answer: `contentMediaType` is OpenAPI 3.1's way to say it, `format: binary` that of 3.0,
 * which most client generators look for.
 */
export const binary = (contentMediaType: string) => ({ type: 'string', format: 'binary', contentMediaType }) as const

/** In the dialect of OpenAPI 3.1. */
export const jsonSchema = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' })
  return rest
}

export const isOptional = (schema: z.core.$ZodType | undefined): boolean =>
  schema !== undefined && z.safeParse(schema, undefined).success
