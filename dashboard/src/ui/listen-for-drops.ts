const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

interface DropEvents {
  /** What was dropped anywhere on the page, or pasted. */
  onfiles(data: DataTransfer): void
  /** Whether something is being held above the page. */
  onhover(isOver: boolean): void
}

/** Takes files that are dropped or pasted; returns how to stop. */
export function listenForDrops({ onfiles, onhover }: DropEvents): () => void {
  /** Entering a child comes before leaving its parent. */
  let depth = 0
  const handlers = {
    dragenter(event: DragEvent) {
      if (hasFiles(event) && ++depth === 1) onhover(true)
    },
    dragleave(event: DragEvent) {
      if (hasFiles(event) && --depth === 0) onhover(false)
    },
    // Without this the browser would open the file in place of the page.
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
