import { PixelmillError } from './error.ts'
import { base64, bytesOf } from './files.ts'

const utf8 = new TextEncoder()

async function hmac(secret: Uint8Array<ArrayBuffer>, text: string): Promise<string> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return base64(new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8.encode(text))))
}

/** Characters of the signature of a delivery URL. */
export const SIGNATURE_LENGTH = 22

/**
 * A delivery URL with its signature. The secret must not reach a browser.
 * @param url from `/i/` on, or with the server's address; its parts percent-encoded
 * @param secret of the source, as the server has shown it
 */
export async function signUrl(url: string, secret: string): Promise<string> {
  const signature = await hmac(bytesOf(secret), url.slice(url.indexOf('/i/')))
  const short = signature.slice(0, SIGNATURE_LENGTH).replaceAll('+', '-').replaceAll('/', '_')
  return `${url}${url.includes('?') ? '&' : '?'}s=${short}`
}

/** Seconds that a webhook's time may differ from now: older ones may be replays. */
const TOLERANCE_S = 300

interface WebhookHeaders {
  readonly 'webhook-id'?: string | readonly string[] | undefined
  readonly 'webhook-timestamp'?: string | readonly string[] | undefined
  readonly 'webhook-signature'?: string | readonly string[] | undefined
}

/**
 * The event of a webhook, whose signature is right: https://www.standardwebhooks.com.
 * @param secret `whsec_…` @param body as it was received, not parsed
 * @throws PixelmillError invalid_webhook
 */
export async function verifyWebhook<Event = unknown>(
  secret: string,
  headers: Headers | WebhookHeaders,
  body: string | Uint8Array,
  now: number = Date.now(),
): Promise<Event> {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const header = (name: keyof WebhookHeaders) => String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? '')
  const id = header('webhook-id')
  const at = header('webhook-timestamp')
  if (!(Math.abs(now / 1000 - Number(at)) <= TOLERANCE_S)) throw invalid('Its time is too far from now.')
  const expected = `v1,${await hmac(bytesOf(secret.replace(/^whsec_/, '')), `${id}.${at}.${text}`)}`
  if (
    !header('webhook-signature')
      .split(' ')
      .some((each) => isSame(each, expected))
  )
    throw invalid('Its signature is wrong.')
  return JSON.parse(text) as Event
}

const invalid = (why: string) => new PixelmillError('invalid_webhook', `This is no webhook of Pixelmill. ${why}`)

/** In the same time wherever they differ. */
function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let at = 0; at < other.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}
