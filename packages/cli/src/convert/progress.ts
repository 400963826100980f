import cliProgress from 'cli-progress'
import type { Sources } from '../files/source.ts'
import { bytesText, countText, durationText, rateText } from '../format.ts'

/** What was done so far. */
export interface Totals {
  done: number
  unchanged: number
  failed: number
  /** The bytes of those that are done. */
  inputBytes: number
  outputBytes: number
}

/** The bar at the bottom of the terminal; nothing where standard error is no terminal. */
export interface Progress {
  update(totals: Totals): void
  /** Prints a line above the bar. */
  print(line: string): void
  stop(): Promise<void>
}

/** Images of the last seconds that the rate is computed from. */
const WINDOW_MS = 10_000
const FPS = 8

/** Shows the rate, the saved bytes and, once the images are counted, the time left. */
export function startProgress(sources: Sources): Progress | undefined {
  const { stderr } = process
  if (!stderr.isTTY) return undefined
  const began = performance.now()
  const samples: { readonly at: number; readonly count: number }[] = [{ at: began, count: 0 }]
  let shownTotals: Totals = { done: 0, unchanged: 0, failed: 0, inputBytes: 0, outputBytes: 0 }
  let total: number | undefined

  const format = (_options: unknown, { value }: { readonly value: number }): string => {
    const now = performance.now()
    const oldest = samples.find(({ at }) => at >= now - WINDOW_MS) ?? samples[0]
    const rate = oldest && now - oldest.at > 500 ? (1000 * (value - oldest.count)) / (now - oldest.at) : undefined
    return progressLine(shownTotals, total, rate, stderr.columns)
  }
  const bars = new cliProgress.MultiBar(
    { format, stream: stderr, fps: FPS, hideCursor: true, clearOnComplete: true, gracefulExit: false, linewrap: true },
    cliProgress.Presets.shades_classic,
  )
  const bar = bars.create(1, 0)
  // A second Ctrl-C ends the process at once.
  const showCursor = () => void stderr.write('\x1b[?25h')
  process.once('exit', showCursor)
  const counting = sources.count?.().then((count) => {
    total = count
  })
  // The same fault is reported by the run.
  counting?.catch(() => {})
  return {
    update(totals) {
      shownTotals = { ...totals }
      const count = totals.done + totals.unchanged + totals.failed
      const now = performance.now()
      if (now - (samples.at(-1)?.at ?? 0) > 1000 / FPS) samples.push({ at: now, count })
      while (samples.length > 2 && (samples[0]?.at ?? 0) < now - WINDOW_MS) samples.shift()
      bar.setTotal(Math.max(total ?? 0, count + 1))
      bar.update(count)
    },
    print: (line) => bars.log(`${line}\n`),
    async stop() {
      // Lines that wait for the next picture of the bar would be lost.
      bars.update()
      bars.stop()
      process.off('exit', showCursor)
    },
  }
}

const BAR_COLUMNS = 24
/** Narrower terminals get no bar. */
const LEAST_FOR_BAR = 70
/** The terminal writes `^C` behind the line: if that went to the next one, the line would not be cleared. */
const INTERRUPT_COLUMNS = 2

/** The line has as much as the terminal's width has room for, the most important first. */
export function progressLine(
  { done, unchanged, failed, inputBytes, outputBytes }: Totals,
  total: number | undefined,
  rate: number | undefined,
  columns = 80,
): string {
  const count = done + unchanged + failed
  const share = total === undefined || total === 0 ? undefined : Math.min(1, count / total)
  const filledColumns = Math.round((share ?? 0) * BAR_COLUMNS)
  const left = share !== undefined && rate && total !== undefined ? (total - count) / rate : undefined
  const parts = [
    ...(share !== undefined && columns >= LEAST_FOR_BAR
      ? ['█'.repeat(filledColumns) + '░'.repeat(BAR_COLUMNS - filledColumns)]
      : []),
    share === undefined
      ? `${countText(count)} images`
      : `${Math.floor(100 * share)} %  ${countText(count)}/${countText(total ?? 0)}`,
    ...(left === undefined ? [] : [`${durationText(left)} left`]),
    ...(rate ? [`${rateText(rate)}/s`] : []),
    ...(failed > 0 ? [`${countText(failed)} failed`] : []),
    ...(inputBytes > outputBytes ? [`${bytesText(inputBytes - outputBytes)} saved`] : []),
  ]
  const room = columns - INTERRUPT_COLUMNS
  return parts.reduce((line, part) => (line.length + 2 + part.length < room ? `${line}  ${part}` : line))
}
