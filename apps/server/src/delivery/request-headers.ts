import { z } from 'zod'

/** Names that RFC 9110, §5.6.2 allows. */
const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/

/** Visible characters of ASCII, with spaces between them. */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]{0,4094}[\x21-\x7e])?$/

/** What belongs to the connection (RFC 9110, §7.6.1), or is decided by each request. */
const RESERVED =
  'connection keep-alive te trailer transfer-encoding upgrade http2-settings host expect range accept-encoding user-agent via forwarded date'.split(
    ' ',
  )
const RESERVED_PREFIX = /^(?:content-|if-|proxy-|sec-)/

const isReserved = (name: string): boolean => RESERVED.includes(name) || RESERVED_PREFIX.test(name)

const MOST = 20
const MOST_BYTES = 8_192

const name = z
  .string()
  .toLowerCase()
  .regex(NAME, 'Must be the name of a header.')
  .refine((text) => !isReserved(text), { error: 'Is decided by the connection or by each request, and cannot be set.' })

/** Request headers by their names, which are turned into lower case. */
export const requestHeaders = z
  .record(name, z.string().regex(VALUE, 'Must be visible characters of ASCII, with spaces between them.'))
  .refine((headers) => Object.keys(headers).length <= MOST, { error: `Must be at most ${MOST} headers.` })
  .refine((headers) => JSON.stringify(headers).length <= MOST_BYTES, { error: `Must have at most ${MOST_BYTES} bytes.` })
