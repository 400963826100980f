import { z } from 'zod'
import { safeName } from '../archives/safe-name.ts'
import { limits } from '../contract/limits.ts'
import type { Batch } from './batch.ts'

/** Controls, line breaks, and what is not seen or turns the direction of a text: it would read otherwise than it is. */
const NOT_SHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/** What its owner calls a batch. */
export const batchName = z
  .string()
  .normalize('NFC')
  .trim()
  .refine((text) => text !== '', 'Must not be blank.')
  .refine((text) => text.isWellFormed() && !NOT_SHOWN.test(text), 'Must be one line of visible characters.')
  .refine((text) => [...text].length <= limits.nameLength, `Must have at most ${limits.nameLength} characters.`)

const NOT_ASCII = /[^\x20-\x7e]/gu
/** What RFC 8187, §3.2.1 has escaped beside what encodeURIComponent escapes. */
const NO_ATTRIBUTE_CHARACTER = /['()*]/g

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(NO_ATTRIBUTE_CHARACTER, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)

/** The value of Content-Disposition for its result. Other than ASCII stands in `filename*` (RFC 6266, §4.3). */
export function resultDisposition({ id, name }: Pick<Batch, 'id' | 'name'>): string {
  const file = `${name === null ? id : safeName(name)}.zip`
  const ascii = file.replaceAll(NOT_ASCII, '_')
  return `attachment; filename="${ascii}"${ascii === file ? '' : `; filename*=UTF-8''${encoded(file)}`}`
}
