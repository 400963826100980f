import { limits, MiB } from '@pixelmill/codecs/contract/limits'
import { readAs, type Setting, serverUrl, whole } from 'pixelmill/settings/setting'
import { z } from 'zod'
import { parseKeySecrets } from '../ai/key-vault.ts'
import { DEFAULT_DAILY_LIMITS, dailyLimits } from '../metering/ai-images.ts'

const price = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,6})?$/, 'must be a number such as 0.15')
  .transform(Number)
  .optional()

/** The platform's model, its quotas, and the keys that accounts save for their own models. */
export const aiSettings = {
  AI_BASE_URL: {
    schema: serverUrl('https://api.openai.com/v1', 'AI_API_KEY is sent as a bearer token').optional(),
    otherwise: 'no model; smart-crop and recommend work without one',
    description: 'Address of an OpenAI-compatible server with a vision model; see docs/ai.md.',
  },
  AI_MODEL: {
    schema: z.string().max(limits.ai.modelLength).optional(),
    otherwise: 'needed with AI_BASE_URL',
    description: 'Name of that model.',
  },
  AI_API_KEY: {
    schema: z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
      .optional(),
    otherwise: 'none is sent',
    description: 'API key for that server.',
    secret: true,
  },
  AI_TIMEOUT_S: {
    schema: whole(1, 600).default(60),
    otherwise: '60',
    description: 'Seconds that a model may take for one image, including retries.',
  },
  AI_CONCURRENCY: {
    schema: whole(1, 1_000).default(16),
    otherwise: '16',
    description: "Concurrent questions to AI_BASE_URL, and as many to callers' models; one account gets at most half.",
  },
  AI_DAILY_LIMIT: {
    schema: dailyLimits.prefault(DEFAULT_DAILY_LIMITS),
    otherwise: DEFAULT_DAILY_LIMITS,
    description: 'AI images of an account in a UTC day, by plan; a number alone is for all plans.',
  },
  AI_BODY_MB: {
    schema: whole(1, 1_024).default(limits.ai.bodyBytes / MiB),
    otherwise: String(limits.ai.bodyBytes / MiB),
    description: 'Maximum mebibytes of a JSON body with images.',
  },
  AI_PRICE_INPUT: {
    schema: price,
    otherwise: 'usage shows no cost',
    description: 'US dollars for a million tokens that the model reads.',
  },
  AI_PRICE_OUTPUT: {
    schema: price,
    otherwise: 'usage shows no cost',
    description: 'The same for tokens that it writes.',
  },
  AI_KEY_ENCRYPTION_SECRET: {
    schema: z.string().transform(readAs(parseKeySecrets)).optional(),
    otherwise: 'created at the first start, as DATA_DIR/ai-key-secret; with DATABASE_URL accounts cannot save such keys',
    description:
      'Encrypts the keys of models and buckets that accounts save: at least 16 characters, as of `openssl rand -base64 32`; the same on every server. To change it, put the new one first, each with an id (without, it is 1): 2:new,1:old.',
    secret: true,
  },
} as const satisfies Record<string, Setting>
