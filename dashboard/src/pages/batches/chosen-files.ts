/** A file with its place in the folder that was chosen; of a file that was chosen alone, its name. */
export interface ChosenFile {
  readonly path: string
  readonly file: File
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are looked for
const NOT_IN_ARCHIVES = /[\0-\x1f\x7f-\x9f\\]/g

/** Linux has names in which the API would see a control character or a folder: it refuses such an archive as a whole. */
const archivePath = (path: string): string => path.replace(/^\/+/, '').replaceAll(NOT_IN_ARCHIVES, '_')

/** Of an input, with folders where it takes them. */
export const pickedFiles = (list: FileList | null): readonly ChosenFile[] =>
  [...(list ?? [])].map((file) => ({ path: archivePath(file.webkitRelativePath || file.name), file }))

const fileOf = (entry: FileSystemFileEntry): Promise<File> => new Promise((resolve, reject) => entry.file(resolve, reject))

/** A folder's entries come in portions, an empty one last. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const portion = await new Promise<readonly FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (portion.length === 0) return all.sort((a, b) => a.name.localeCompare(b.name))
    all.push(...portion)
  }
}

async function filesIn(entry: FileSystemEntry): Promise<readonly ChosenFile[]> {
  if (entry.isFile) return [{ path: archivePath(entry.fullPath), file: await fileOf(entry as FileSystemFileEntry) }]
  const found: ChosenFile[] = []
  for (const each of await entriesOf(entry as FileSystemDirectoryEntry)) found.push(...(await filesIn(each)))
  return found
}

/**
 * What was dropped, with all that is in folders. The entries have to be taken before the event is over; their files follow.
 * @throws DOMException for what the browser may not read
 */
export function droppedFiles(data: DataTransfer): Promise<readonly ChosenFile[]> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  // Pasted pictures have no entry.
  if (entries.length === 0) return Promise.resolve(pickedFiles(data.files))
  return Promise.all(entries.map(filesIn)).then((found) => found.flat())
}
