import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Route } from '../../src/http/route.ts'

/** The fields of a route's JSON body, by name. */
export function fieldsOf({ json, name }: Route): Readonly<Record<string, z.ZodType>> {
  let schema: unknown = json
  while (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) schema = schema.unwrap()
  assert.ok(schema instanceof z.ZodObject, `the body of ${name} is an object`)
  return schema.shape
}

/** Whether a route takes text as its body. */
export const takes = ({ json }: Route, text: string): boolean => json?.safeParse(JSON.parse(text)).success ?? false
