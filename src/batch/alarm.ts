/** Wakes who sleeps, or who sleeps next. For one sleeper. */
export interface Alarm {
  ring(): void
  /** Resolves when it rings or has rung since the last wait, or when the time is over. */
  wait(ms: number): Promise<void>
}

export function alarm(): Alarm {
  let rung = false
  let wake = () => {}

  return {
    ring() {
      rung = true
      wake()
    },
    async wait(ms) {
      if (!rung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        const timer = setTimeout(resolve, ms)
        await promise
        clearTimeout(timer)
      }
      rung = false
    },
  }
}
