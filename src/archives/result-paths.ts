import { safeName } from './safe-name.ts'

/**
 * Where each file's result goes: in the same folder, by the same name, with the extension given. Names are made safe, and
 * unique in the eyes of Windows and macOS, by `-2`, `-3` before the extension; the first of those that are equal keeps its own.
 * `taken` are paths of other files in the root of the archive.
 */
export function resultPaths(paths: readonly string[], extension: string, taken: readonly string[] = []): readonly string[] {
  const reserved = new Set(taken.map(folded))
  const wanted = paths.map((path) => withoutExtension(path, reserved))
  const used = new Set([...reserved, ...wanted.flatMap(foldersAbove)])
  const results = wanted.map((stem) => claim(used, `${stem}.${extension}`))
  const next = new Map<string, number>()
  return results.map((result, nth) => result ?? numbered(used, wanted[nth] ?? '', extension, next))
}

function withoutExtension(path: string, reserved: ReadonlySet<string>): string {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.')
  const file = segments.pop() ?? ''
  const [top, ...folders] = segments.map(safeName)
  const root = top !== undefined && reserved.has(folded(top)) ? `_${top}` : top
  return [...(root === undefined ? [] : [root]), ...folders, safeName(file.replace(/(?<=.)\.[^.]*$/s, ''))].join('/')
}

/** No file may have the name of a folder either. */
function foldersAbove(path: string): readonly string[] {
  const segments = folded(path).split('/').slice(0, -1)
  return segments.map((_, depth) => segments.slice(0, depth + 1).join('/'))
}

/** Names with the same key are one on Windows or macOS: case does not count there, nor how accents are composed. */
const folded = (path: string): string => path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')

function claim(used: Set<string>, path: string): string | undefined {
  const key = folded(path)
  if (used.has(key)) return undefined
  used.add(key)
  return path
}

/** The first number from 2 on that is free; `next` remembers where to go on, so that a thousand equal names are no million tries. */
function numbered(used: Set<string>, stem: string, extension: string, next: Map<string, number>): string {
  const key = folded(stem)
  for (let number = next.get(key) ?? 2; ; number++) {
    const path = claim(used, `${stem}-${number}.${extension}`)
    if (path === undefined) continue
    next.set(key, number + 1)
    return path
  }
}
