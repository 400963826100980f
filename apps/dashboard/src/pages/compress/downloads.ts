import { writeZip, type ZippedFile } from 'pixelmill-client/src/zip'
import { freeName } from './free-name.ts'

/** Browsers begin a download some time after the click. */
const KEPT_MS = 60_000

export function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}

/** Files as one ZIP, whose parts are the files themselves; a second file of a path gets a free name. */
export async function downloadZip(files: readonly ZippedFile[], name: string): Promise<void> {
  const paths = new Set<string>()
  const namedFiles = files.map((file) => {
    const path = freeName(file.path, (each) => paths.has(each))
    paths.add(path)
    return { ...file, path }
  })
  download(await writeZip(namedFiles), name)
}
