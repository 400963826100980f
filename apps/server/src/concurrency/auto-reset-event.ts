/** Auto-reset event for one waiter. */
export interface AutoResetEvent {
  set(): void
  /** Resolves when the event is set, or was set since the last wait, or after that time. */
  wait(ms: number): Promise<void>
}

export function autoResetEvent(): AutoResetEvent {
  let isSet = false
  let wake = () => {}

  return {
    set() {
      isSet = true
      wake()
    },
    async wait(ms) {
      if (!isSet) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        const timer = setTimeout(resolve, ms)
        await promise
        clearTimeout(timer)
      }
      isSet = false
    },
  }
}
