import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { auditActions } from '../../src/accounts/audit.ts'
import { type Plan, plans } from '../../src/contract/plans.ts'
import { markdownTable, withTable } from './generated-table.ts'

const PAGE = join(import.meta.dirname, '../../docs/accounts.md')

const callsOf = ({ apiAccess, callsPerMonth }: Plan): string => {
  if (!apiAccess) return 'none; one credit a call'
  return callsPerMonth === null ? 'unlimited' : callsPerMonth.toLocaleString('en')
}

/** docs/accounts.md with its tables as the code has them; the rest is written by hand. */
export function accountsPage(): string {
  const planRows = Object.entries(plans).map(([name, plan]: [string, Plan]) => [
    `\`${name}\``,
    plan.apiAccess ? 'yes' : 'with credits',
    callsOf(plan),
    plan.ai ? 'yes' : 'no',
  ])
  const actionRows = Object.entries(auditActions).map(([name, when]) => [`\`${name}\``, when])
  const page = withTable(
    readFileSync(PAGE, 'utf8'),
    'plans',
    markdownTable(['plan', 'API access', 'calls a month', 'AI endpoints (to come)'], planRows),
  )
  return withTable(page, 'actions', markdownTable(['action', 'when'], actionRows))
}
