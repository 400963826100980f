/** A file with its path in the chosen folder; for a single file, its name. */
export interface ChosenFile {
  readonly path: string
  readonly file: File
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are looked for
const NOT_IN_ARCHIVES = /[\0-\x1f\x7f-\x9f\\]/g

/** Linux allows names with control characters or backslashes, for which the API would refuse the whole archive. */
const archivePath = (path: string): string => path.replace(/^\/+/, '').replaceAll(NOT_IN_ARCHIVES, '_')

/** Files of an input element, with folders if it accepts them. */
export const pickedFiles = (list: FileList | null): readonly ChosenFile[] =>
  [...(list ?? [])].map((file) => ({ path: archivePath(file.webkitRelativePath || file.name), file }))

const fileOf = (entry: FileSystemFileEntry): Promise<File> => new Promise((resolve, reject) => entry.file(resolve, reject))

/** A folder's entries are returned in groups, the last one empty. */
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
  const files: ChosenFile[] = []
  for (const each of await entriesOf(entry as FileSystemDirectoryEntry)) files.push(...(await filesIn(each)))
  return files
}

/**
 * The dropped files, including those in folders. Entries must be read during the event; their files follow.
 * @throws DOMException for files that the browser may not read
 */
export function droppedFiles(data: DataTransfer): Promise<readonly ChosenFile[]> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  // Pasted pictures have no entry.
  if (entries.length === 0) return Promise.resolve(pickedFiles(data.files))
  return Promise.all(entries.map(filesIn)).then((lists) => lists.flat())
}
