import { z } from 'zod'

/** An environment variable. */
export interface Setting {
  readonly schema: z.ZodType
  /** The behaviour if it is not set, for the documentation. */
  readonly otherwise: string
  readonly description: string
  readonly secret?: boolean
}

const WHOLE = /^\d+$/

export const whole = (min: number, max: number) =>
  z
    .string()
    .refine(
      (text) => WHOLE.test(text) && Number(text) >= min && Number(text) <= max,
      `must be a whole number from ${min} to ${max}`,
    )
    .transform(Number)

/** The URL of a server to call, without user name and password: the Fetch standard refuses those. */
export const serverUrl = (example: string, keyWords: string) =>
  z.url({ protocol: /^https?$/, error: `must be an http or https URL such as ${example}` }).refine((text) => {
    const url = URL.parse(text)
    return url?.username === '' && url.password === ''
  }, `must have no user name and password; ${keyWords}`)

/** The API's schema, with messages worded for a setting. */
export const likeApi = <Schema extends z.ZodType<string, string>>(schema: Schema, words: string) =>
  z
    .string()
    .refine((text) => schema.safeParse(text).success, words)
    .pipe(schema)

/** Reports an error of `read` as an error of the setting. */
export const readAs =
  <Value>(read: (text: string) => Value) =>
  (text: string, context: z.RefinementCtx): Value => {
    try {
      return read(text)
    } catch (error) {
      context.addIssue(error instanceof Error ? error.message : String(error))
      return z.NEVER
    }
  }
