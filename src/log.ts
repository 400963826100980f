import { type Logger, pino } from 'pino'

export type Log = Logger

/** JSON lines on standard output. Bodies and headers are never logged; what is here must hold no secret. */
export const openLog = (level: string): Log =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  })
