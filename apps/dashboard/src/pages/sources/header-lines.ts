import { ApiFailure } from '../../api/api-failure.ts'

const MESSAGE = 'Write each header in a line of its own, as Name: value.'

/**
 * Headers of requests from lines such as "Authorization: Bearer abc".
 * @throws ApiFailure for a line without a name before a colon
 */
export function headersOfLines(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const pairs = lines.map((line) => {
    const colon = line.indexOf(':')
    if (colon < 1)
      throw new ApiFailure('invalid_params', MESSAGE, { issues: [{ path: ['headers'], code: 'custom', message: MESSAGE }] })
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const
  })
  return Object.fromEntries(pairs)
}
