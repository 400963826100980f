import { traceFields } from '@pixelmill/engine/tracing'
import { type Logger, pino } from 'pino'

export type Log = Logger

/** Bytes of lines that are buffered while standard output is a file on a full disk; further lines are dropped. */
const MOST_WAITING = 1024 * 1024

/** JSON lines on standard output. Bodies and headers are never logged; log fields must not contain secrets. */
export function openLog(level: string): Log {
  const output = pino.destination({ dest: 1, sync: true, maxLength: MOST_WAITING })
  // An error without a listener would end the process.
  output.on('error', () => {})
  const timestamp = pino.stdTimeFunctions.isoTime
  return pino({ level, base: null, timestamp, mixin: traceFields, formatters: { level: (label) => ({ level: label }) } }, output)
}
