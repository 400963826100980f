import type { Card, FolderPlace } from './card.svelte.ts'
import { freeName } from './free-name.ts'
import type { PlacedFile } from './picture-files.ts'

/** What Chromium has beyond the standard. */
interface FolderWindow {
  showDirectoryPicker?(options: { readonly mode: 'read' | 'readwrite' }): Promise<FileSystemDirectoryHandle>
}
interface WritableFolder {
  requestPermission?(options: { readonly mode: 'readwrite' }): Promise<PermissionState>
}

const folders = window as unknown as FolderWindow

/** Whether this browser can write into a folder of the user. */
export const canUseFolders = folders.showDirectoryPicker !== undefined

/** The chosen folder; undefined if the user chose none. @throws DOMException where the browser refuses the folder */
async function chooseFolder(mode: 'read' | 'readwrite'): Promise<FileSystemDirectoryHandle | undefined> {
  try {
    return await folders.showDirectoryPicker?.({ mode })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined
    throw error
  }
}

/** The files of a folder that the user chooses, with those of its folders. @throws DOMException */
export async function openFolder(): Promise<readonly PlacedFile[]> {
  const folder = await chooseFolder('read')
  return folder ? filesIn(folder, `${folder.name}/`) : []
}

async function filesIn(folder: FileSystemDirectoryHandle, prefix: string): Promise<readonly PlacedFile[]> {
  const files: PlacedFile[] = []
  for await (const entry of folder.values()) {
    const { name } = entry
    if (entry instanceof FileSystemDirectoryHandle) files.push(...(await filesIn(entry, `${prefix}${name}/`)))
    else if (entry instanceof FileSystemFileHandle)
      files.push({ path: prefix + name, file: await entry.getFile(), place: { folder, name } })
  }
  return files.sort((one, other) => one.path.localeCompare(other.path))
}

/** How results are written: beside the originals, in their place, or into another folder. */
export type SaveWay = 'beside' | 'replace' | 'elsewhere'

/** Numbers of files. */
export interface Saving {
  readonly written: number
  /** The original is as small. */
  readonly left: number
}

/** Writes all results. @returns undefined if the user chose no folder. @throws DOMException where the browser may not write */
export async function saveAll(cards: readonly Card[], way: SaveWay): Promise<Saving | undefined> {
  const target = way === 'elsewhere' ? await chooseFolder('readwrite') : undefined
  if (way === 'elsewhere' && !target) return undefined
  let writtenCount = 0
  let left = 0
  for (const card of cards) {
    const isWritten = target ? await saveInto(target, card) : await saveAt(card, way === 'replace')
    if (isWritten) writtenCount++
    else left++
  }
  return { written: writtenCount, left }
}

async function saveInto(target: FileSystemDirectoryHandle, { result }: Card): Promise<boolean> {
  if (!result?.blob) return false
  const segments = result.path.split('/')
  const name = segments.pop() ?? result.path
  let folder = target
  for (const segment of segments) folder = await folder.getDirectoryHandle(segment, { create: true })
  await write(folder, await unusedName(folder, name), result.blob)
  return true
}

/** A result that is not smaller is not written. */
async function saveAt({ place, result, file }: Card, replaces: boolean): Promise<boolean> {
  if (!place || !result?.blob || result.isOriginal || result.bytes >= file.size) return false
  await allowWriting(place)
  const { folder, name } = place
  const ownName = result.path.slice(result.path.lastIndexOf('/') + 1)
  const hasChanged = replaces && (await fileNow(place))?.lastModified !== file.lastModified
  if (hasChanged) return false
  if (replaces && ownName === name) {
    await write(folder, name, result.blob)
    return true
  }
  await write(folder, await unusedName(folder, ownName), result.blob)
  if (replaces) await folder.removeEntry(name)
  return true
}

/** Asks the user once for each folder. @throws DOMException if the user refuses */
async function allowWriting({ folder }: FolderPlace): Promise<void> {
  const state = await (folder as WritableFolder).requestPermission?.({ mode: 'readwrite' })
  if (state === 'denied') throw new DOMException('The browser may not write into this folder.', 'NotAllowedError')
}

const fileNow = async ({ folder, name }: FolderPlace): Promise<File | undefined> =>
  (await folder.getFileHandle(name).catch(() => undefined))?.getFile()

async function unusedName(folder: FileSystemDirectoryHandle, name: string): Promise<string> {
  const names = new Set<string>()
  for await (const each of folder.keys()) names.add(each)
  return freeName(name, (each) => names.has(each))
}

async function write(folder: FileSystemDirectoryHandle, name: string, blob: Blob): Promise<void> {
  const stream = await (await folder.getFileHandle(name, { create: true })).createWritable()
  await stream.write(blob)
  await stream.close()
}
