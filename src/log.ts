import { type Logger, pino } from 'pino'
import { activeSpan } from './tracing.ts'

export type Log = Logger

/** Bytes of lines that wait for room where standard output is a file on a full disk; further ones are dropped. */
const MOST_WAITING = 1024 * 1024

/** What leads from a line to its trace. */
function traceOf(): { readonly traceId?: string } {
  const span = activeSpan()
  return span ? { traceId: span.spanContext().traceId } : {}
}

/** JSON lines on standard output. Bodies and headers are never logged; what is here must hold no secret. */
export function openLog(level: string): Log {
  const output = pino.destination({ dest: 1, sync: true, maxLength: MOST_WAITING })
  // It would end the process: a line that cannot be written is worth less than the service.
  output.on('error', () => {})
  const timestamp = pino.stdTimeFunctions.isoTime
  return pino({ level, base: null, timestamp, mixin: traceOf, formatters: { level: (label) => ({ level: label }) } }, output)
}
