import { styleText } from 'node:util'
import { bytesText, countText, durationText, nameText, rateText, savedText } from '../format.ts'
import type { Outcome } from './conversion.ts'
import type { LeftResult } from './left-results.ts'
import type { Totals } from './progress.ts'

const style = (format: Parameters<typeof styleText>[0], text: string): string =>
  styleText(format, text, { stream: process.stderr })

/** What a run has done, in a table. */
export function summaryLines({ done, unchanged, failed, inputBytes, outputBytes }: Totals, seconds: number): readonly string[] {
  if (done + unchanged + failed === 0) return ['No images were found.']
  const pace = done > 0 && seconds >= 1 ? `, ${rateText(done / seconds)} a second` : ''
  const saving = `${bytesText(inputBytes)} → ${bytesText(outputBytes)}, ${savedText(inputBytes, outputBytes)}`
  const rows: readonly Row[] = [
    ...(done > 0 ? [{ name: 'converted', colour: 'green', count: done, text: saving } as const] : []),
    ...(unchanged > 0 ? [{ name: 'unchanged', colour: 'dim', count: unchanged, text: '' } as const] : []),
    ...(failed > 0 ? [{ name: 'failed', colour: 'red', count: failed, text: 'named above' } as const] : []),
    { name: 'in all', colour: 'bold', count: done + unchanged + failed, text: `${durationText(seconds)}${pace}` },
  ]
  const width = Math.max(...rows.map(({ count }) => countText(count).length))
  return rows.map(({ name, colour, count, text }) =>
    `${style(colour, name.padEnd(9))}  ${countText(count).padStart(width)}  ${style('dim', text)}`.trimEnd(),
  )
}

interface Row {
  readonly name: string
  readonly colour: 'green' | 'dim' | 'red' | 'bold'
  readonly count: number
  readonly text: string
}

/** Names in a list; the rest is counted. */
const MOST_NAMES = 10

/** The images that became smaller by most bytes. */
export function mostSavedLines(outcomes: readonly Outcome[]): readonly string[] {
  const rows = outcomes
    .filter(({ inputBytes, outputBytes }) => inputBytes > outputBytes)
    .slice(0, MOST_NAMES)
    .map(({ source, inputBytes, outputBytes }) => ({
      saved: bytesText(inputBytes - outputBytes),
      source,
      inputBytes,
      outputBytes,
    }))
  if (rows.length === 0) return []
  const width = Math.max(...rows.map(({ saved }) => saved.length))
  const lines = rows.map(
    ({ saved, source, inputBytes, outputBytes }) =>
      `  ${saved.padStart(width)}  ${nameText(source)}  ${style('dim', `${bytesText(inputBytes)} → ${bytesText(outputBytes)}`)}`,
  )
  return [style('bold', 'saved most'), ...lines]
}

/** Results whose sources are gone: what was removed, and what is left for the user to decide. */
export function leftLines(all: readonly LeftResult[]): readonly string[] {
  return [
    ...listOf(
      all.filter(({ status }) => status === 'removed'),
      'removed, since their sources are gone:',
    ),
    ...listOf(
      all.filter(({ status }) => status === 'left'),
      'left of sources that are gone (--prune removes them):',
    ),
    ...listOf(
      all.filter(({ status }) => status === 'changed'),
      'left of sources that are gone, and changed by others: not removed',
    ),
  ]
}

function listOf(results: readonly LeftResult[], title: string): readonly string[] {
  if (results.length === 0) return []
  const names = results.slice(0, MOST_NAMES).map(({ target }) => `  ${nameText(target)}`)
  const rest = results.length - names.length
  const noun = results.length === 1 ? 'result' : 'results'
  return [`${countText(results.length)} ${noun} ${title}`, ...names, ...(rest > 0 ? [`  and ${countText(rest)} more`] : [])]
}
