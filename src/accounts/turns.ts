import { ApiError } from '../contract/api-error.ts'

/** Runs a few pieces of work at once; the rest wait in line. @throws ApiError server_busy when `waiting` wait */
export function turns(atOnce: number, waiting: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const line: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < atOnce) running++
    else if (line.length < waiting) await new Promise<void>((resolve) => line.push(resolve))
    else throw new ApiError('server_busy', { retryAfterSeconds: 1 })
    try {
      return await work()
    } finally {
      // The place is handed on, so that nobody slips in between.
      const next = line.shift()
      if (next) next()
      else running--
    }
  }
}
