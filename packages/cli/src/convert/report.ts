import { styleText } from 'node:util'
import { EXIT } from '../exit.ts'
import type { Sources } from '../files/source.ts'
import { bytesText, nameText, savedText } from '../format.ts'
import type { Outcome } from './conversion.ts'
import type { LeftResult } from './left-results.ts'
import { pictureOfResults } from './picture-element.ts'
import { type Progress, startProgress, type Totals } from './progress.ts'
import { leftLines, mostSavedLines, summaryLines } from './summary.ts'

export interface ReporterOptions {
  /** Writes a JSON line for each image to standard output. */
  readonly json: boolean
  /** Shows neither progress nor a summary; failures are still named. */
  readonly quiet: boolean
  /** Writes lines at the end, those that saved most first. */
  readonly sortsBySaved?: boolean
  /** Writes a `<picture>` for each source at the end; the value is put before its paths. */
  readonly htmlBase?: string | undefined
}

const stream = process.stderr
const style = (format: Parameters<typeof styleText>[0], text: string): string => styleText(format, text, { stream })

/** Tells users and programs what happens. Results go to standard output, everything else to standard error. */
export class Reporter {
  readonly #options: ReporterOptions
  readonly #totals: Totals = { done: 0, unchanged: 0, failed: 0, inputBytes: 0, outputBytes: 0 }
  readonly #began = performance.now()
  /** Kept only where they are sorted in the end. */
  readonly #outcomes: Outcome[] = []
  #leftResults: readonly LeftResult[] = []
  #progress: Progress | undefined

  constructor(options: ReporterOptions) {
    this.#options = options
  }

  /** Shows the progress of a run, whose outcomes it is given. */
  async during<Result>(sources: Sources, run: (onOutcome: (outcome: Outcome) => void) => Promise<Result>): Promise<Result> {
    const { quiet, json } = this.#options
    this.#progress = quiet || json ? undefined : startProgress(sources)
    try {
      return await run((outcome) => this.outcome(outcome))
    } finally {
      await this.#progress?.stop()
      this.#progress = undefined
    }
  }

  outcome(one: Outcome): void {
    const { json, sortsBySaved, htmlBase } = this.#options
    this.#totals[one.status]++
    if (one.status === 'done') {
      this.#totals.inputBytes += one.inputBytes
      this.#totals.outputBytes += one.outputBytes
    }
    if (sortsBySaved || htmlBase !== undefined) this.#outcomes.push(one)
    if (json && !sortsBySaved) writeOutput(jsonLine(one))
    if (one.error) this.note(`${style('red', 'failed')}  ${nameText(one.source)}: ${nameText(one.error.message)}`)
    this.#progress?.update(this.#totals)
  }

  /** What became of an image while nobody waits for a summary. */
  news(one: Outcome): void {
    if (one.status === 'unchanged') return
    this.outcome(one)
    if (one.status === 'done') this.detail(doneText(one.source, one))
  }

  /** Results of sources that are gone. */
  left(results: readonly LeftResult[]): void {
    this.#leftResults = [...this.#leftResults, ...results]
  }

  /** A result that was removed while nobody waits for a summary. */
  removal(result: LeftResult): void {
    if (this.#options.json) writeOutput(JSON.stringify(result))
    this.detail(`removed  ${nameText(result.target)}`)
  }

  /** A line that is printed in any case. */
  note(text: string): void {
    if (this.#progress) this.#progress.print(text)
    else stream.write(`${text}\n`)
  }

  /** A line for people, who may have asked for none. */
  detail(text: string): void {
    if (!this.#options.quiet && !this.#options.json) this.note(text)
  }

  /** Prints the summary. @returns the exit code */
  end(): number {
    this.#summary()
    return this.#totals.failed > 0 ? EXIT.someFailed : EXIT.done
  }

  /** Prints the reason, and what was done before. @returns the exit code */
  endStopped(reason: string): number {
    stream.write(`${style('red', 'stopped')}  ${nameText(reason)}\n`)
    if (!this.#hasBegun()) return EXIT.usage
    this.#summary()
    stream.write('The same command goes on where this run has stopped.\n')
    return EXIT.someFailed
  }

  endInterrupted(): number {
    if (this.#hasBegun()) this.#summary()
    stream.write('Interrupted. The same command goes on where this run has stopped.\n')
    return EXIT.interrupted
  }

  #hasBegun(): boolean {
    return this.#totals.done + this.#totals.unchanged + this.#totals.failed > 0
  }

  #summary(): void {
    const { json, quiet, sortsBySaved, htmlBase } = this.#options
    const outcomes = sortsBySaved ? this.#outcomes.toSorted((one, other) => savedBytes(other) - savedBytes(one)) : []
    if (json)
      for (const line of [...outcomes.map(jsonLine), ...this.#leftResults.map((each) => JSON.stringify(each))]) writeOutput(line)
    if (htmlBase !== undefined) for (const each of this.#pictures(htmlBase)) writeOutput(each)
    if (quiet) return
    const conversions = outcomes.filter(({ status }) => status === 'done')
    const seconds = (performance.now() - this.#began) / 1000
    const lines = [...mostSavedLines(conversions), ...leftLines(this.#leftResults), ...summaryLines(this.#totals, seconds)]
    for (const line of lines) stream.write(`${line}\n`)
  }

  #pictures(base: string): readonly string[] {
    const bySource = this.#outcomes.toSorted((one, other) => (one.source < other.source ? -1 : 1))
    return bySource.filter(({ results }) => results.length > 0).map(({ results }) => pictureOfResults(results, base))
  }
}

const writeOutput = (line: string): void => void process.stdout.write(`${line}\n`)

const savedBytes = ({ status, inputBytes, outputBytes }: Outcome): number =>
  status === 'failed' ? Number.NEGATIVE_INFINITY : inputBytes - outputBytes

/** Such as `a.jpg: 93 kB → 18 kB, 81 % smaller`. */
export const doneText = (name: string, { inputBytes, outputBytes }: Pick<Outcome, 'inputBytes' | 'outputBytes'>): string =>
  `${nameText(name)}: ${bytesText(inputBytes)} → ${bytesText(outputBytes)}, ${savedText(inputBytes, outputBytes)}`

/** One image as programs read it; with several outputs, one line for all of them. */
export function jsonLine({ source, targets, status, inputBytes, outputBytes, ms, keptSource, error }: Outcome): string {
  const [target, ...more] = targets
  return JSON.stringify({
    source,
    target: target ?? null,
    ...(more.length > 0 && { targets }),
    status,
    inputBytes,
    outputBytes,
    ms,
    ...(keptSource && { keptSource }),
    ...(error && { error }),
  })
}
