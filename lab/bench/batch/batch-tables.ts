import type { BareResult } from '../bare/bare-render.ts'
import type { LoadResult } from '../load/load-plan.ts'
import { median } from '../measure/median.ts'
import { type PerRole, roles, sumOf } from '../measure/tree-usage.ts'
import { megabytes, ms, perSecond, ratio } from '../report/numbers.ts'
import type { Table } from '../report/table.ts'

export interface Throughput {
  readonly images: number
  readonly wallMs: number
  readonly cpu: PerRole
  readonly bare: BareResult
}

export interface BatchFigures {
  readonly images: number
  readonly rounds: readonly Throughput[]
  /** Memory of all processes before an upload of 512 MB, and its maximum during the upload. */
  readonly upload: { readonly before: PerRole; readonly used: PerRole }
  /** Latency of one client alone and during a batch, and the maximum memory then. */
  readonly beside: { readonly idle: LoadResult; readonly busy: LoadResult; readonly memory: PerRole }
}

const leastThroughput = 0.93
const mostMegabytes = 500
const mostUploadMegabytes = 100
const mostSlowdown = 2

const bar = (limit: string, holds: boolean) => `${limit} ${holds ? 'met' : 'MISSED'}`

export function batchTables({ images, rounds, upload, beside: { idle, busy, memory } }: BatchFigures): Table[] {
  const of = (figure: (round: Throughput) => number) => median(rounds.map(figure))
  const wall = of(({ wallMs, bare }) => bare.wallMs / wallMs)
  const cpu = of((one) => one.bare.cpuMs / sumOf(one.cpu))
  const slowdown = busy.latency.medianMs / idle.latency.medianMs
  const uploadMs = sumOf(upload.used) - sumOf(upload.before)
  return [
    {
      title: `A batch of ${images} photographs of 2 megapixels into WebP of quality 75`,
      columns: ['', 'figure', 'bar'],
      rows: [
        ['images per second', perSecond(of(({ wallMs }) => (1000 * images) / wallMs)), '–'],
        ['throughput of the bare loops', ratio(wall), bar(`≥ ${leastThroughput}`, wall >= leastThroughput)],
        ['the same by CPU', ratio(cpu), bar(`≥ ${leastThroughput}`, cpu >= leastThroughput)],
        ['CPU of an image: all (ms)', ms(of((one) => sumOf(one.cpu) / images)), '–'],
        ...roles.map((role) => [`CPU of an image: ${role} (ms)`, ms(of((one) => one.cpu[role] / images)), '–']),
        ['CPU of an image: bare loops (ms)', ms(of(({ bare }) => bare.cpuMs / images)), '–'],
        ['a single request on an idle server: median (ms)', ms(idle.latency.medianMs), '–'],
        ['a single request during the batch: median (ms)', ms(busy.latency.medianMs), '–'],
        ['slowdown of single requests', ratio(slowdown), bar(`≤ ${mostSlowdown}`, slowdown <= mostSlowdown)],
        [
          'maximum memory of all processes, both running (PSS, MB)',
          megabytes(sumOf(memory)),
          bar(`≤ ${mostMegabytes}`, sumOf(memory) <= mostMegabytes),
        ],
        ...roles.map((role) => [`memory: ${role} (PSS, MB)`, megabytes(memory[role]), '–']),
        [
          'memory added by an upload of 512 MB (MB)',
          megabytes(uploadMs),
          bar(`< ${mostUploadMegabytes}`, uploadMs < mostUploadMegabytes),
        ],
      ],
      notes: [
        'The bare loops are one process for each renderer, over the same files, in the same run. Throughput by CPU does not depend on what else the machine does.',
      ],
    },
  ]
}
