import { writeZip } from 'pixelmill-client/src/zip'
import type { Card } from './card.svelte.ts'
import { freeName } from './free-name.ts'

/** Browsers begin a download some time after the click. */
const KEPT_MS = 60_000

export function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}

/** All results as one ZIP, whose parts are the results themselves. */
export async function downloadZip(cards: readonly Card[]): Promise<void> {
  const paths = new Set<string>()
  const files = cards.flatMap(({ result, file }) => {
    if (!result?.blob) return []
    const path = freeName(result.path, (each) => paths.has(each))
    paths.add(path)
    return [{ path, file: result.blob, modifiedAt: file.lastModified }]
  })
  download(await writeZip(files), 'compressed.zip')
}
