const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

interface DropEvents {
  /** Files dropped anywhere on the page, or pasted. */
  onfiles(data: DataTransfer): void
  /** Whether files are being dragged over the page. */
  onhover(isOver: boolean): void
}

/** Accepts dropped and pasted files; returns a function that stops it. */
export function listenForDrops({ onfiles, onhover }: DropEvents): () => void {
  /** Entering a child fires before leaving its parent. */
  let depth = 0
  const handlers = {
    dragenter(event: DragEvent) {
      if (hasFiles(event) && ++depth === 1) onhover(true)
    },
    dragleave(event: DragEvent) {
      if (hasFiles(event) && --depth === 0) onhover(false)
    },
    // Otherwise the browser would open the file instead of the page.
    dragover(event: DragEvent) {
      if (hasFiles(event)) event.preventDefault()
    },
    drop(event: DragEvent) {
      if (!hasFiles(event) || !event.dataTransfer) return
      event.preventDefault()
      depth = 0
      onhover(false)
      onfiles(event.dataTransfer)
    },
    paste(event: ClipboardEvent) {
      if (event.clipboardData?.files.length) onfiles(event.clipboardData)
    },
  }
  const entries = Object.entries(handlers) as [string, EventListener][]
  for (const [name, handler] of entries) window.addEventListener(name, handler)
  return () => {
    for (const [name, handler] of entries) window.removeEventListener(name, handler)
  }
}
