import { z } from 'zod'
import { count, definePart, failing, metricValues, total, warning } from './part.ts'

export const housekeeping = definePart({
  shape: z
    .object({
      failedJobs: z.array(z.object({ job: z.string(), times: count })),
      ledgerMismatches: count.describe('Accounts whose credits differed from their ledger at the last check.'),
      lostStatistics: count.describe('Calls that were charged but are missing in the usage lists.'),
    })
    .describe('For this process since its start.'),
  async read({ metrics: { registry } }) {
    const failures = await metricValues(registry, 'job_failures_total')
    return {
      failedJobs: failures.map(({ labels, value }) => ({ job: String(labels.job), times: value })),
      ledgerMismatches: total(await metricValues(registry, 'ledger_mismatches')),
      lostStatistics: total(await metricValues(registry, 'usage_events_lost_total')),
    }
  },
  concerns: ({ failedJobs, ledgerMismatches, lostStatistics }) => [
    ...(ledgerMismatches > 0
      ? [failing(`The credits of ${ledgerMismatches} accounts are not what their ledger says. The log names them.`)]
      : []),
    ...failedJobs.map(({ job, times }) =>
      warning(
        `Housekeeping “${job}” has failed ${times === 1 ? 'once' : `${times} times`}; it is tried again by itself. The log says why.`,
      ),
    ),
    ...(lostStatistics > 0
      ? [warning(`${lostStatistics} calls are missing in the statistics: the database was away for too long.`)]
      : []),
  ],
})
