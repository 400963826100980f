import { styleText } from 'node:util'
import { EXIT } from '../exit.ts'
import type { Sources } from '../files/source.ts'
import { bytesText, countText, durationText, nameText, rateText, savedText } from '../format.ts'
import type { Outcome } from './conversion.ts'
import { type Progress, startProgress, type Totals } from './progress.ts'

/** Tells users and programs what happens. Results go to standard output, everything else to standard error. */
export interface Reporter {
  /** Shows the progress of a run, whose outcomes it is given. */
  during(sources: Sources, run: (onOutcome: (outcome: Outcome) => void) => Promise<void>): Promise<void>
  outcome(outcome: Outcome): void
  /** A line that is printed in any case. */
  note(text: string): void
  /** A line for people, who may have asked for none. */
  detail(text: string): void
  /** Prints the summary. @returns the exit code */
  end(): number
  /** Prints the reason, and what was done before. @returns the exit code */
  endStopped(reason: string): number
  endInterrupted(): number
}

export interface ReporterOptions {
  /** Writes a JSON line for each image to standard output. */
  readonly json: boolean
  /** Shows neither progress nor a summary; failures are still named. */
  readonly quiet: boolean
}

const stream = process.stderr
const style = (format: Parameters<typeof styleText>[0], text: string): string => styleText(format, text, { stream })

export function reporter({ json, quiet }: ReporterOptions): Reporter {
  const totals: Totals = { done: 0, unchanged: 0, failed: 0, inputBytes: 0, outputBytes: 0 }
  const began = performance.now()
  let progress: Progress | undefined

  const print = (line: string): void => (progress ? progress.print(line) : void stream.write(`${line}\n`))

  function outcome(one: Outcome): void {
    totals[one.status]++
    if (one.status === 'done') {
      totals.inputBytes += one.inputBytes
      totals.outputBytes += one.outputBytes
    }
    if (json) process.stdout.write(`${jsonLine(one)}\n`)
    if (one.error) print(`${style('red', 'failed')}  ${nameText(one.source)}: ${nameText(one.error.message)}`)
    progress?.update(totals)
  }
  function summary(): void {
    if (!quiet) for (const line of summaryLines(totals, (performance.now() - began) / 1000)) stream.write(`${line}\n`)
  }
  const hasBegun = () => totals.done + totals.unchanged + totals.failed > 0

  return {
    outcome,
    note: print,
    detail: (text) => (quiet || json ? undefined : print(text)),
    async during(sources, run) {
      progress = quiet || json ? undefined : startProgress(sources)
      try {
        await run(outcome)
      } finally {
        await progress?.stop()
        progress = undefined
      }
    },
    end() {
      summary()
      return totals.failed > 0 ? EXIT.someFailed : EXIT.done
    },
    endStopped(reason) {
      stream.write(`${style('red', 'stopped')}  ${nameText(reason)}\n`)
      if (!hasBegun()) return EXIT.usage
      summary()
      stream.write('The same command goes on where this run has stopped.\n')
      return EXIT.someFailed
    },
    endInterrupted() {
      if (hasBegun()) summary()
      stream.write('Interrupted. The same command goes on where this run has stopped.\n')
      return EXIT.interrupted
    },
  }
}

/** One image as programs read it; with several outputs, one line for all of them. */
export function jsonLine({ source, targets, status, inputBytes, outputBytes, ms, error }: Outcome): string {
  const [target, ...more] = targets
  return JSON.stringify({
    source,
    target: target ?? null,
    ...(more.length > 0 && { targets }),
    status,
    inputBytes,
    outputBytes,
    ms,
    ...(error && { error }),
  })
}

function summaryLines({ done, unchanged, failed, inputBytes, outputBytes }: Totals, seconds: number): readonly string[] {
  if (done + unchanged + failed === 0) return ['No images were found.']
  const pace = done > 0 && seconds >= 1 ? `, ${rateText(done / seconds)} a second` : ''
  const rows = [
    ...(done > 0
      ? [
          [
            'converted',
            countText(done),
            `${bytesText(inputBytes)} → ${bytesText(outputBytes)}, ${savedText(inputBytes, outputBytes)}`,
          ],
        ]
      : []),
    ...(unchanged > 0 ? [['unchanged', countText(unchanged), '']] : []),
    ...(failed > 0 ? [['failed', countText(failed), 'named above']] : []),
    ['in all', countText(done + unchanged + failed), `${durationText(seconds)}${pace}`],
  ]
  const width = Math.max(...rows.map(([, number = '']) => number.length))
  const colour = { converted: 'green', unchanged: 'dim', failed: 'red', 'in all': 'bold' } as const
  return rows.map(([name = '', number = '', rest = '']) =>
    `${style(colour[name as keyof typeof colour], name.padEnd(9))}  ${number.padStart(width)}  ${style('dim', rest)}`.trimEnd(),
  )
}
