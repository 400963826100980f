/** Calls `read` at an interval while the page is visible, and at once when it becomes visible again. */
export function keepFresh(read: () => void, seconds: number): void {
  $effect(() => {
    let clock: ReturnType<typeof setInterval> | undefined
    const start = () => {
      clearInterval(clock)
      if (!document.hidden) clock = setInterval(read, seconds * 1000)
    }
    const onChange = () => {
      start()
      if (!document.hidden) read()
    }
    start()
    document.addEventListener('visibilitychange', onChange)
    return () => {
      clearInterval(clock)
      document.removeEventListener('visibilitychange', onChange)
    }
  })
}
