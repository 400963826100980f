import { listenForDrops } from '../../ui/listen-for-drops.ts'
import { type ChosenFile, droppedFiles } from '../batches/chosen-files.ts'

interface DropEvents {
  onfiles(files: Promise<readonly ChosenFile[]>): void
  /** Whether something is being held above the page. */
  onhover(isOver: boolean): void
}

/** Takes pictures, folders and ZIPs that are dropped anywhere on the page or pasted; returns how to stop. */
export const listenForPictures = ({ onfiles, onhover }: DropEvents): (() => void) =>
  listenForDrops({ onhover, onfiles: (data) => onfiles(droppedFiles(data)) })
