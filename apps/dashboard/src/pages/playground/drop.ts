import { listenForDrops } from '../../ui/listen-for-drops.ts'
import { type ChosenFile, droppedFiles } from '../batches/chosen-files.ts'

interface DropEvents {
  onfiles(files: Promise<readonly ChosenFile[]>): void
  /** Whether files are being dragged over the page. */
  onhover(isOver: boolean): void
}

/** Accepts pictures, folders and ZIPs dropped anywhere on the page or pasted; returns a function that stops it. */
export const listenForPictures = ({ onfiles, onhover }: DropEvents): (() => void) =>
  listenForDrops({ onhover, onfiles: (data) => onfiles(droppedFiles(data)) })
