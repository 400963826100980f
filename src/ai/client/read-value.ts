import { z } from 'zod'
import { findJson } from './find-json.ts'

export type Read<Value> = { readonly value: Value } | { readonly problems: string }

const MOST_PROBLEMS = 500

/** The first JSON value of an answer that follows the schema, or that wraps one that does. */
export function readValue<Schema extends z.ZodType>(answer: string, schema: Schema): Read<z.output<Schema>> {
  let problems = ''
  for (const found of findJson(answer)) {
    for (const candidate of [found, ...wrapped(found)]) {
      const result = schema.safeParse(candidate)
      if (result.success) return { value: result.data }
      problems ||= z.prettifyError(result.error).slice(0, MOST_PROBLEMS)
    }
  }
  return { problems: problems || 'there is no JSON object in it' }
}

/** `{"response": {…}}` and `[{…}]` are habits of models. */
function wrapped(found: unknown): readonly unknown[] {
  if (typeof found !== 'object' || found === null) return []
  const inner = Object.values(found)
  return inner.length <= 3 ? inner.filter((value) => typeof value === 'object' && value !== null) : []
}
