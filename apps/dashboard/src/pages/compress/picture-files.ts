import type { ChosenFile } from '../batches/chosen-files.ts'
import { isHidden, looksLikePicture } from '../batches/looks-like-picture.ts'
import type { FolderPlace } from './card.svelte.ts'

/** A file, with its folder where results may be written beside it. */
export interface PlacedFile extends ChosenFile {
  readonly place?: FolderPlace
}

interface PictureFiles {
  /** Also those that are refused on their card: drawings, and whatever was chosen by itself. */
  readonly pictures: readonly PlacedFile[]
  readonly archives: readonly PlacedFile[]
  /** Other files of folders. */
  readonly leftOut: number
}

const isZip = ({ name, type }: File): boolean => /\.zip$/i.test(name) || type === 'application/zip'

/** @throws DOMException for files that the browser may not read */
export async function pictureFiles(files: readonly PlacedFile[]): Promise<PictureFiles> {
  const visibleFiles = files.filter(({ path }) => !isHidden(path))
  const archives = visibleFiles.filter(({ file }) => isZip(file))
  const others = visibleFiles.filter(({ file }) => !isZip(file))
  const pictures: PlacedFile[] = []
  for (const each of others)
    if (!each.path.includes('/') || each.file.type.startsWith('image/') || (await looksLikePicture(each.path, each.file)))
      pictures.push(each)
  return { pictures, archives, leftOut: others.length - pictures.length }
}
