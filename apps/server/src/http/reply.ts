import { warnings as allWarnings } from '@pixelmill/codecs/contract/warnings'
import type { WrittenImage } from '@pixelmill/engine/tasks/task'
import type { Allowance } from '../contract/allowance.ts'
import { quotaHeaders, quotaHeaderTexts } from '../metering/ai-images.ts'
import { quotaHeaders as removalHeaders, quotaHeaderTexts as removalHeaderTexts } from '../metering/removals.ts'
import type { Reply } from './route.ts'

const warningTexts = Object.entries(allWarnings)
  .map(([name, text]) => `${name}: ${text}`)
  .join(' ')

/** The headers of imageReply, for the documentation. */
export const imageHeaders = {
  'Content-Disposition': 'Attachment with a file name of the form converted.<ext>.',
  'X-Input-Size': 'Original size in bytes.',
  'X-Output-Size': 'Converted size in bytes.',
  'X-Saved-Percent': 'Percentage of space saved, with one decimal; negative when the output grew.',
  'X-Image-Width': 'Width of the answer in pixels.',
  'X-Image-Height': 'Height of the answer in pixels.',
  'X-Quality-Score':
    'Only with visualQuality or maxBytes: SSIMULACRA2 of the answer against the picture before it was encoded, with one decimal; large pictures are scored on samples.',
  'X-Hdr': 'Only of an HDR source, with a gain map or coded by PQ or HLG: kept or dropped.',
  'X-Content-Credentials':
    'Only of a source with a C2PA manifest: removed, or signed where the operator’s certificate signed a new one.',
  'X-Reversible': 'Only of a JPEG that was packed into JPEG XL without loss: jpeg. It can be restored byte for byte.',
  'X-Kept-Source': 'Only where the uploaded file is sent, without its metadata: true. Nothing smaller looks as good.',
  'X-Image-Warnings': `Only where not all of the file is in the answer: identifiers, separated by commas. ${warningTexts}`,
  'X-Format-Fallback': 'Only where the format could not be kept, since nothing here can write it: heic->jpeg or heic->png.',
} as const

/** The response of every image operation: the bytes, and what they saved. */
export function imageReply(
  { bytes, codec, width, height, warnings, score, hdr, contentCredentials, reversible, keptSource }: WrittenImage,
  stem: string,
  inputBytes: number,
  fallback: string | undefined,
): Reply {
  const savedCount = 100 * (1 - bytes.length / inputBytes)
  return {
    headers: {
      'content-type': codec.mime,
      'content-disposition': `attachment; filename="${stem}.${codec.extension}"`,
      // It is derived from an upload: a browser that opens it on this origin must not run anything.
      'content-security-policy': "default-src 'none'; sandbox",
      'x-input-size': String(inputBytes),
      'x-output-size': String(bytes.length),
      // Adding 0 turns -0 into 0.
      'x-saved-percent': String((Math.round(savedCount * 10) + 0) / 10),
      'x-image-width': String(width),
      'x-image-height': String(height),
      ...(score !== undefined && { 'x-quality-score': score.toFixed(1) }),
      ...(hdr && { 'x-hdr': hdr }),
      ...(contentCredentials && { 'x-content-credentials': contentCredentials }),
      ...(reversible && { 'x-reversible': reversible }),
      ...(keptSource && { 'x-kept-source': 'true' }),
      ...(warnings.length > 0 && { 'x-image-warnings': warnings.join(', ') }),
      ...(fallback !== undefined && { 'x-format-fallback': fallback }),
    },
    body: bytes,
  }
}

/** By default with the route's status of a success. */
export const jsonReply = (body: unknown, status?: number): Reply => ({
  ...(status !== undefined && { status }),
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(body),
})

const draftTexts = {
  'RateLimit-Policy':
    'The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000.',
  RateLimit: 'What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800.',
} as const

/** The headers of calls that are metered, for the documentation. */
export const rateLimitHeaderTexts = {
  'X-RateLimit-Limit': 'Monthly API call limit; "unlimited" on Enterprise; credits bought when paying as you go.',
  'X-RateLimit-Remaining': 'Remaining API calls this month; credits left when paying as you go.',
  'X-Credits-Remaining': 'Credits left, when paying as you go.',
  ...draftTexts,
} as const

/** The headers of requests that only read: their limit is a policy of its own, "reading". */
export const readingHeaderTexts = draftTexts

/** The headers of AI requests. */
export const aiHeaderTexts = { ...quotaHeaderTexts, ...draftTexts } as const

/** The headers of background removals. */
export const backgroundHeaderTexts = {
  ...rateLimitHeaderTexts,
  'X-RateLimit-Limit': `${rateLimitHeaderTexts['X-RateLimit-Limit'].replace(/\.$/, '')}; with a sign-in the same as X-Background-Limit.`,
  'X-RateLimit-Remaining': `${rateLimitHeaderTexts['X-RateLimit-Remaining'].replace(/\.$/, '')}; with a sign-in the same as X-Background-Remaining.`,
  ...removalHeaderTexts,
} as const

const BURST_SECONDS = 60

const count = (calls: number | null): string => (calls === null ? 'unlimited' : String(calls))

const monthly = (name: string, { limit, remaining, lengthSeconds, endsInSeconds }: NonNullable<Allowance['month']>) =>
  limit === null ? [] : [{ name, q: limit, w: lengthSeconds, r: remaining ?? 0, t: endsInSeconds }]

/** The limits as draft-ietf-httpapi-ratelimit-headers-10 §3 writes them: a list of quoted names with parameters. */
function policies({ burst, month, removals }: Allowance): Record<string, string> {
  const rows = [
    ...(burst ? [{ name: burst.policy, q: burst.limit, w: BURST_SECONDS, r: burst.remaining, t: burst.nextFreeInSeconds }] : []),
    ...(month ? monthly('month', month) : []),
    ...(removals ? monthly('background', removals) : []),
  ]
  if (rows.length === 0) return {}
  return {
    'ratelimit-policy': rows.map(({ name, q, w }) => `"${name}";q=${q};w=${w}`).join(', '),
    ratelimit: rows.map(({ name, r, t }) => `"${name}";r=${r};t=${t}`).join(', '),
  }
}

/** The caller's remaining limits, on every response for which they are known. */
export function rateLimitHeaders(allowance: Allowance): Record<string, string> {
  const { credits, images, removals } = allowance
  // If no calls are counted, only removals are.
  const month = allowance.month ?? (credits ? undefined : removals)
  return {
    ...(month && { 'x-ratelimit-limit': count(month.limit), 'x-ratelimit-remaining': count(month.remaining) }),
    ...(credits && {
      'x-ratelimit-limit': String(credits.bought),
      'x-ratelimit-remaining': String(credits.left),
      'x-credits-remaining': String(credits.left),
    }),
    ...(images && quotaHeaders(images)),
    ...(removals && removalHeaders(removals)),
    ...policies(allowance),
  }
}

/** The header of an answer to a form that names the fields it ignored. */
export const UNKNOWN_FIELDS = 'X-Unknown-Fields'

export const unknownFieldsText =
  'Present if unknown fields of the request were ignored: their names, such as qualtiy. At most 8, of 40 characters each; a character other than letters, digits, "_", "-", "." and "[]" is shown as "?".'

const MOST_NAMES = 8
const LONGEST_NAME = 40
const UNSAFE = /[^\w.[\]-]/g

/** The header's value; undefined where all fields are known. */
export function unknownFields(names: Iterable<string>): string | undefined {
  const shownTexts = [...names].slice(0, MOST_NAMES).map((name) => name.slice(0, LONGEST_NAME).replaceAll(UNSAFE, '?'))
  return shownTexts.length > 0 ? shownTexts.join(', ') : undefined
}

/** Headers of every answer. */
export const headersOfAll = (requestId: string): Record<string, string> => ({
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
})
