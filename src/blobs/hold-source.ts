import { addAbortSignal, type Readable } from 'node:stream'

/** Lets a put's source wait until it is read, and an abort break it. To be called before anything is awaited. */
export function holdSource(source: Readable, signal: AbortSignal | undefined): void {
  // Whoever reads it hears of its error then; until that, an error without a listener would end the process.
  source.on('error', () => {})
  if (signal) addAbortSignal(signal, source)
}
