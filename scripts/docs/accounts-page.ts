import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { auditActions } from 'pixelmill-server/accounts/audit'
import { type Plan, type PlanName, plans } from 'pixelmill-server/contract/plans'
import { type DailyLimits, DEFAULT_DAILY_LIMITS, dailyLimits } from 'pixelmill-server/metering/ai-images'
import { DEFAULT_TRIAL_CALLS, trialCalls } from 'pixelmill-server/metering/calls'
import type { TrialCalls } from 'pixelmill-server/metering/rules'
import { markdownTable, withTable } from './generated-table.ts'

const PAGE = join(import.meta.dirname, '../../docs/accounts.md')

const callsOf = ({ apiAccess, callsPerMonth }: Plan): string => {
  if (!apiAccess) return 'none; one credit a call'
  return callsPerMonth === null ? 'unlimited' : callsPerMonth.toLocaleString('en')
}

const byPlan: DailyLimits = dailyLimits.parse(DEFAULT_DAILY_LIMITS)

const toTry: TrialCalls = trialCalls.parse(DEFAULT_TRIAL_CALLS)

function imagesOf(name: PlanName): string {
  if (!plans[name].ai) return 'only with your own model'
  return byPlan[name] === null ? 'unlimited' : byPlan[name].toLocaleString('en')
}

/** docs/accounts.md with tables generated from the code; the rest is written by hand. */
export function accountsPage(): string {
  const planRows = Object.entries(plans).map(([name, plan]: [string, Plan]) => [
    `\`${name}\``,
    plan.apiAccess ? 'yes' : 'with credits',
    callsOf(plan),
    plan.apiAccess ? 'not needed' : String(toTry[name as PlanName] ?? 0),
    imagesOf(name as PlanName),
  ])
  const actions = Object.keys(auditActions).map((name) => `\`${name}\``)
  const page = withTable(
    readFileSync(PAGE, 'utf8'),
    'plans',
    markdownTable(['plan', 'API access', 'calls per month', 'trial calls per month', 'AI images per day'], planRows),
  )
  return withTable(page, 'actions', `${actions.join(', ')}.`)
}
