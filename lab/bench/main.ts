import { existsSync } from 'node:fs'
import { findPhotographs } from '@pixelmill/codecs/test/photographs/photographs'
import { readArguments } from './arguments.ts'
import { measurements } from './measurements.ts'
import { circumstances } from './report/circumstances.ts'
import { writeTables } from './report/page-tables.ts'
import { progress } from './report/progress.ts'
import { plainText, type Table } from './report/table.ts'

/** `npm run bench -- [cell …] [--quick] [--write]`: measures the service and its references on this machine. */

const PAGE = 'lab/results/bench.md'

async function bench(): Promise<void> {
  if (!existsSync('/proc/self/smaps_rollup'))
    throw new Error('The bench reads CPU and memory of processes from /proc: it runs on Linux only.')
  const { cells, quick, write } = readArguments(measurements.flatMap(({ names }) => names))
  progress('pictures')
  const photographs = await findPhotographs()
  const pages = new Map<string, Table[]>()
  const failures: Error[] = []
  for (const { names, page = PAGE, measure } of measurements) {
    const cellNames = names.filter((name) => cells.includes(name))
    if (cellNames.length === 0) continue
    try {
      for (const table of await measure({ photographs, quick, write }, cellNames)) {
        const tablePage = table.page ?? page
        pages.set(tablePage, [...(pages.get(tablePage) ?? []), table.page ? table : withCommand(table, cellNames)])
      }
    } catch (error) {
      // A failed measurement does not discard an hour of other tables, but the benchmark fails.
      progress(`${cellNames.join(', ')}: ${error instanceof Error ? error.message : error}`)
      failures.push(new Error(`${cellNames.join(', ')} could not be measured`, { cause: error }))
    }
  }
  const measuredIn = await circumstances(commandOf(process.argv.slice(2)), photographs.origin)
  console.log([...[...pages.values()].flat(), measuredIn].map(plainText).join('\n'))
  if (failures.length > 0) throw new Error(failures.map(({ message }) => message).join('; '))
  if (!write) return
  // Simulation results do not depend on the machine.
  for (const [page, tables] of pages)
    writeTables(page, 'npm run bench -- --write', page === PAGE ? [...tables, measuredIn] : tables)
}

const commandOf = (words: readonly string[]) => ['npm run bench', ...(words.length > 0 ? ['--', ...words] : [])].join(' ')

/** Each table of results names the command that reproduces it; guides say so themselves. */
const withCommand = (table: Table, cells: readonly string[]): Table => ({
  ...table,
  notes: [...(table.notes ?? []), `Alone: \`${commandOf(cells)}\`.`],
})

// The handlers of process.exit end the started processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
await bench().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
