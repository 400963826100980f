import { component } from '@pixelmill/codecs/contract/component'
import { limits } from '@pixelmill/codecs/contract/limits'
import { z } from 'zod'

/** Whose model answers: the operator's, or the caller's own. */
export const providers = ['platform', 'byok'] as const

export type Provider = (typeof providers)[number]

const { apiKeyLength, baseUrlLength, modelLength } = limits.ai

const COMPLETE_URL = 'Must be a complete http:// or https:// URL without user name and password.'
const PRINTABLE = 'Must be printable ASCII characters without spaces.'

/** Refuses what the URL parser would silently correct. */
function isPlainHttp(text: string): boolean {
  const url = /^https?:\/\/\S+$/i.test(text) ? URL.parse(text) : null
  return url !== null && url.username === '' && url.password === ''
}

const baseUrl = z
  .string()
  // A check of its own for OpenAPI; it aborts, so that an empty text is reported once.
  .min(1, { error: COMPLETE_URL, abort: true })
  .max(baseUrlLength)
  .refine(isPlainHttp, COMPLETE_URL)
  .meta({
    description: 'Base address of an OpenAI-compatible server, such as https://api.openai.com/v1.',
    format: 'uri',
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s@]+$',
    examples: ['https://api.openai.com/v1'],
  })

/** No surrounding spaces and no control or format characters, which would be misread in logs and answers. */
const isOneLine = (text: string): boolean => text === text.trim() && !/\p{C}/u.test(text)

const model = z
  .string()
  .min(1)
  .max(modelLength)
  .refine(isOneLine, 'Must be one line of text without spaces around it.')
  .meta({ description: 'The name of a model on that server that accepts images.', pattern: '^\\S(.*\\S)?$' })

const apiKey = z
  .string()
  .min(1, { error: PRINTABLE, abort: true })
  .max(apiKeyLength)
  // RFC 9110 §5.5: characters of a header value.
  .regex(/^[\x21-\x7e]+$/, PRINTABLE)

/** The model that an account saves. */
export const savedProvider = z.strictObject({
  baseUrl,
  model,
  apiKey: apiKey
    .optional()
    .describe(
      'The API key for that server. It is stored encrypted and never shown again. If omitted, the saved key is kept, provided that the address is unchanged.',
    ),
})

export type SavedProvider = z.output<typeof savedProvider>

/** The model that an account tests; omitted fields are taken from the saved one. */
export const triedProvider = z.strictObject({
  baseUrl: baseUrl.optional(),
  model: model.optional(),
  apiKey: apiKey
    .optional()
    .describe(
      'The API key for that server; it is not stored. If omitted, the saved key is used, provided that the address is unchanged.',
    ),
})

const hasKey = ({ apiKey, useAccountKey }: { readonly apiKey?: unknown; readonly useAccountKey?: unknown }): boolean =>
  apiKey !== undefined || useAccountKey === true

/** A caller's own model (BYOK), in the body of an AI request. */
export const userProvider = z
  .object({
    baseUrl,
    model,
    apiKey: apiKey.optional().describe('API key for that server. It is used for this request only and not stored.'),
    useAccountKey: z
      .boolean()
      .optional()
      .describe('Use the key saved on the account (PUT /api/user/ai-key); only for the address it was saved with.'),
  })
  .refine(hasKey, {
    path: ['apiKey'],
    message: 'Send apiKey or useAccountKey: true.',
    // Reported together with faults of other fields.
    when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
  })
  .meta(component('UserProvider'))
  .describe('Your own model; requires a sign-in. Send apiKey or useAccountKey: true; if both are sent, apiKey is used.')

export type UserProvider = z.output<typeof userProvider>
