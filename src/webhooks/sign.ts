import { createHmac } from 'node:crypto'

export const SECRET_PREFIX = 'whsec_'

export interface Message {
  /** The same at every attempt, so that a receiver can tell what it has had. */
  readonly id: string
  /** Of this attempt: receivers refuse what is older than some minutes. */
  readonly at: Date
  /** The bytes as they are sent. */
  readonly body: string
}

/**
 * The headers of Standard Webhooks: `v1` is HMAC-SHA256 over id, seconds since 1970 and body, with full stops between;
 * one signature for each secret, "space delimited".
 */
export function signatureHeaders({ id, at, body }: Message, secrets: readonly string[]): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  }
}

/** What the headers are, for the documentation. */
export const signatureHeaderTexts = {
  'webhook-id': 'The same at every attempt to deliver the event.',
  'webhook-timestamp': 'Of this attempt, in seconds since 1970; refuse what is older than five minutes.',
  'webhook-signature':
    '`v1,` and the HMAC-SHA256, in Base64, of id, timestamp and body with full stops between, under your webhook secret; while a secret is being replaced, two of them with a space between.',
} as const
