import { type Outline, picturesOf } from './outline.ts'

/** The files of batches that were sent from this tab, by the id of the batch and the path: the server keeps no originals. */
const originals = new Map<string, ReadonlyMap<string, File>>()

export function rememberOriginals(id: string, outline: Outline): void {
  const files = picturesOf(outline).flatMap(({ path, file }) => (file ? [[path, file] as const] : []))
  if (files.length > 0) originals.set(id, new Map(files))
}

export const originalOfEntry = (id: string, path: string): File | undefined => originals.get(id)?.get(path)
