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

/** Whether the header names the type itself, and does not refuse it. */
export const names = (accept: string | undefined, type: string): boolean => (rangesOf(accept ?? '').get(type) ?? 0) > 0

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
