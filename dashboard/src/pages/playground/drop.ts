/** The first file that was dropped or pasted. */
const fileOf = (data: DataTransfer | null): File | undefined => [...(data?.files ?? [])][0]

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

interface DropEvents {
  onfile(file: File): void
  /** Whether something is being held above the page. */
  onhover(isOver: boolean): void
}

/** Takes pictures that are dropped anywhere on the page or pasted; returns how to stop. */
export function listenForPictures({ onfile, onhover }: DropEvents): () => void {
  /** Entering a child comes before leaving its parent. */
  let depth = 0
  const handlers = {
    dragenter(event: DragEvent) {
      if (hasFiles(event) && ++depth === 1) onhover(true)
    },
    dragleave(event: DragEvent) {
      if (hasFiles(event) && --depth === 0) onhover(false)
    },
    // Without this the browser would open the picture in place of the page.
    dragover(event: DragEvent) {
      if (hasFiles(event)) event.preventDefault()
    },
    drop(event: DragEvent) {
      if (!hasFiles(event)) return
      event.preventDefault()
      depth = 0
      onhover(false)
      const file = fileOf(event.dataTransfer)
      if (file) onfile(file)
    },
    paste(event: ClipboardEvent) {
      const file = fileOf(event.clipboardData)
      if (file) onfile(file)
    },
  }
  const entries = Object.entries(handlers) as [string, EventListener][]
  for (const [name, handler] of entries) window.addEventListener(name, handler)
  return () => {
    for (const [name, handler] of entries) window.removeEventListener(name, handler)
  }
}
