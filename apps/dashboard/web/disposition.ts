const NOT_ASCII = /[^\x20-\x7e]/gu
/** What ends a quoted string early, or is an escape in it that clients read differently. */
const QUOTED = /["\\%]/g
/** Characters that RFC 8187, §3.2.1 requires to be escaped, besides those that encodeURIComponent escapes. */
const NO_ATTRIBUTE_CHARACTER = /['()*]/g

/**
 * A Content-Disposition with the name of a file. One that is not plain ASCII goes into `filename*` (RFC 6266, §4.3), beside a plain one
 * for clients that do not read that.
 */
export function disposition(kind: 'inline' | 'attachment', file: string): string {
  const whole = file.toWellFormed()
  const plain = whole.replaceAll(NOT_ASCII, '_').replaceAll(QUOTED, '_')
  return `${kind}; filename="${plain}"${plain === whole ? '' : `; filename*=UTF-8''${encode(whole)}`}`
}

const encode = (text: string): string =>
  encodeURIComponent(text).replace(NO_ATTRIBUTE_CHARACTER, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
