/** Calls `read` every so many seconds while the page is in sight, and at once when it comes into sight again. */
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
