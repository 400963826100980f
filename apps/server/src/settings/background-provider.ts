import { readAs, type Setting, serverUrl, whole } from 'pixelmill/settings/setting'
import { z } from 'zod'
import { serviceNames } from '../background/services.ts'

/** A header name: a token of RFC 9110, §5.6.2. Headers that describe the body are reserved. */
const HEADER_NAME = /^(?!(content-|transfer-encoding$|host$|connection$|accept$|accept-encoding$))[\w!#$%&'*+.^`|~-]{1,100}$/i

/** Characters allowed between quotes in a form's part headers. */
const FIELD_NAME = /^[^\p{Cc}"\\]{1,100}$/u
const fieldText = z.union([z.string().max(1_000), z.number(), z.boolean()]).transform(String)
const fields = z.record(z.string().regex(FIELD_NAME), fieldText).refine((some) => Object.keys(some).length <= 50)

function readFields(text: string): Readonly<Record<string, string>> {
  const { data } = fields.safeParse(jsonOf(text))
  if (data === undefined)
    throw new Error('must be a JSON object of texts, numbers and booleans such as {"model":"isnet-general-use"}')
  return data
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Reported like any other malformed object.
    return undefined
  }
}

/** An external service that removes backgrounds, tried before local models and filters. */
export const backgroundProviderSettings = {
  BG_PROVIDER: {
    schema: z.enum(serviceNames, `must be one of ${serviceNames.join(', ')}`).optional(),
    otherwise: 'backgrounds are removed on this machine',
    description: `Service that is asked first: ${serviceNames.join(', ')}. Images are sent to it, and it may charge for them.`,
  },
  BG_PROVIDER_URL: {
    schema: serverUrl('http://rembg:7000', 'BG_PROVIDER_KEY is sent as a header').optional(),
    otherwise: "the service's own; none of rembg, withoutbg and custom",
    description: 'Address of the service; without a path, its usual path is added.',
  },
  BG_PROVIDER_KEY: {
    schema: z
      .string()
      .regex(/^[\x21-\x7e]([\x20-\x7e]{0,998}[\x21-\x7e])?$/, 'must be printable ASCII')
      .optional(),
    otherwise: 'none is sent; removebg, clipdrop and photoroom need one',
    description: 'API key for that service.',
    secret: true,
  },
  BG_PROVIDER_KEY_HEADER: {
    schema: z.string().regex(HEADER_NAME, 'must be the name of a header that no HTTP client sets by itself').optional(),
    otherwise: "the service's own; of rembg, withoutbg and custom `Authorization`, with `Bearer` before the key",
    description: 'Header for the unmodified key.',
  },
  BG_PROVIDER_FILE_FIELD: {
    schema: z.string().regex(FIELD_NAME, 'must be 1 to 100 characters without quotes and control characters').optional(),
    otherwise: "the service's own; of custom `image_file`",
    description: 'Name of the form field for the picture.',
  },
  BG_PROVIDER_EXTRA_FIELDS: {
    schema: z.string().transform(readAs(readFields)).optional(),
    otherwise: "the service's own",
    description: 'Additional form fields, as JSON: {"model":"isnet-general-use"}.',
  },
  BG_PROVIDER_TIMEOUT_S: {
    schema: whole(1, 600).default(25),
    otherwise: '25',
    description: 'Seconds for one picture, including retries; then it is cut out on this machine.',
  },
} as const satisfies Record<string, Setting>
