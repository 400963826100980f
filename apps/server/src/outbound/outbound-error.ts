import { isIPv6 } from 'node:net'

export type OutboundFailure = 'refused' | 'dns' | 'timeout' | 'too_large' | 'network'

/**
 * Sentences for callers. Private, non-existent and unresolvable hosts get the same one, so that answers do not reveal the
 * network.
 */
export const sentences = {
  url: 'Give a complete URL of at most 2,048 characters that starts with https:// or http://.',
  credentials: 'Leave the user name and the password out of the URL.',
  port: 'Use port 80, 443 or one above 1023 that browsers do not refuse.',
  address: 'The host has no public address that can be found.',
  redirects: 'The server redirects too often, or to no address.',
  timeout: 'The server did not answer in time.',
  too_large: 'The server answered with more than is accepted.',
  network: 'The server could not be reached, or broke off.',
} as const

interface Place {
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
}

const wayToAllow = ({ host, port }: Place): string =>
  `The operator of this server can allow it by adding ${isIPv6(host) ? `[${host}]` : host}:${port} to EGRESS_ALLOW.`

/** Why a request to a caller's server failed, or was cut off. The message is for the caller. */
export class OutboundError extends Error {
  override name = 'OutboundError' as const
  readonly kind: OutboundFailure
  /** For the log, never for the caller: it may reveal the internal network. */
  readonly reason: string

  /** @param place as the caller named it, if the operator could allow it */
  constructor(kind: OutboundFailure, sentence: keyof typeof sentences, reason: string, cause?: unknown, place?: Place) {
    super(place ? `${sentences[sentence]} ${wayToAllow(place)}` : sentences[sentence], { cause })
    this.kind = kind
    this.reason = reason
  }
}

export const refusal = (sentence: keyof typeof sentences, reason: string, place?: Place): OutboundError =>
  new OutboundError('refused', sentence, reason, undefined, place)

/** Timeout codes of Node and undici. */
const TIME_RAN_OUT = /TIMEOUT|ETIMEDOUT/

/** fetch wraps the cause of a failure in a chain of causes; an error of ours in it takes precedence. */
export function asOutboundError(error: unknown): OutboundError {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof OutboundError) return inner
    const code = 'code' in inner ? String(inner.code) : ''
    if (TIME_RAN_OUT.test(code)) return new OutboundError('timeout', 'timeout', code, error)
    if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return new OutboundError('too_large', 'too_large', code, error)
  }
  return new OutboundError('network', 'network', 'connection', error)
}
