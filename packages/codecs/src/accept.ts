import type { FormatName } from './image-formats.ts'
import { codecs } from './index.ts'

/**
 * How much a client wants a media type, from 0 to 1, by its Accept header: RFC 9110, §12.5.1. The most specific range decides.
 * @param accept the header; without one everything is wanted
 */
export function preference(accept: string | undefined, type: string): number {
  if (accept === undefined || accept.trim() === '') return 1
  const [kind = ''] = type.split('/')
  const ranges = rangesOf(accept)
  return ranges.get(type) ?? ranges.get(`${kind}/*`) ?? ranges.get('*/*') ?? 0
}

/**
 * The formats that a header names, and those that it does not refuse. A browser that says any image need not know the newest formats: only
 * what is named may be sent unasked.
 */
export function acceptedBy(accept: string | undefined): { readonly accepts: FormatName[]; readonly allows: FormatName[] } {
  const formats = Object.values(codecs)
  return {
    accepts: formats.filter(({ mime }) => names(accept, mime)).map(({ name }) => name),
    allows: formats.filter(({ mime }) => preference(accept, mime) > 0).map(({ name }) => name),
  }
}

const names = (accept: string | undefined, type: string): boolean => (rangesOf(accept ?? '').get(type) ?? 0) > 0

/** Media ranges with their weights. Of a header of many thousand ranges the first hundred count. */
function rangesOf(accept: string): ReadonlyMap<string, number> {
  const ranges = accept.split(',', MOST_RANGES).map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    const quality = Number(weight?.slice('q='.length) ?? 1)
    return [type, quality >= 0 && quality <= 1 ? quality : 1] as const
  })
  return new Map(ranges)
}

const MOST_RANGES = 100
