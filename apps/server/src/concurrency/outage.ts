/** Receives every failure and success of a service, and reports only the start and the end of an outage. */
export interface Outage {
  failed(error: unknown): void
  worked(): void
  /** Either of the two: an error is a failure. */
  report(error?: unknown): void
}

export interface OutageEvents {
  onBegin(error: unknown): void
  onEnd(): void
}

export function outage({ onBegin, onEnd }: OutageEvents): Outage {
  let isOut = false
  function fail(error: unknown): void {
    if (!isOut) onBegin(error)
    isOut = true
  }
  function work(): void {
    if (isOut) onEnd()
    isOut = false
  }
  return { failed: fail, worked: work, report: (error) => (error === undefined ? work() : fail(error)) }
}
