import { z } from 'zod'

/** OpenAPI 3.1's form of a file: of a part of a form and of an answer. Common client generators read both as one. */
export const binary = (contentMediaType: string) => ({ type: 'string', contentMediaType }) as const

/** In the dialect of OpenAPI 3.1. */
export const jsonSchema = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' })
  return rest
}

export const isOptional = (schema: z.core.$ZodType | undefined): boolean =>
  schema !== undefined && z.safeParse(schema, undefined).success
