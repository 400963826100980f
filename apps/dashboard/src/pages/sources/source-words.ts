import type { Answer } from '../../api/client.ts'

export type Source = Answer<'/api/user/sources', 'get'>['sources'][number]
export type SourceType = Source['type']

export const typeWords: Readonly<Record<SourceType, string>> = { web: 'Web address', bucket: 'Bucket', folder: 'Folder' }

/** Where the originals are: "https://…/", "photos/public at https://…", "/srv/photos". */
export function placeInWords(source: Source): string {
  if (source.type === 'web') return source.baseUrl
  if (source.type === 'folder') return source.path
  const objects = [source.bucket, source.prefix].filter((part) => part !== '').join('/')
  return source.endpoint === undefined ? objects : `${objects} at ${source.endpoint}`
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** "1 day", "1 day and 1 hour": the two largest units. */
export function durationInWords(seconds: number): string {
  let left = seconds
  const parts = UNITS.flatMap(([unit, length]) => {
    const count = Math.floor(left / length)
    left -= count * length
    return count === 0 ? [] : [`${count} ${unit}${count === 1 ? '' : 's'}`]
  })
  return parts.slice(0, 2).join(' and ') || '0 seconds'
}
