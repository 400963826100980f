import { listenForDrops } from '../../ui/listen-for-drops.ts'

interface DropEvents {
  onfile(file: File): void
  /** Whether something is being held above the page. */
  onhover(isOver: boolean): void
}

/** Takes pictures that are dropped anywhere on the page or pasted, the first of several; returns how to stop. */
export const listenForPictures = ({ onfile, onhover }: DropEvents): (() => void) =>
  listenForDrops({
    onhover,
    onfiles({ files: [file] }) {
      if (file) onfile(file)
    },
  })
