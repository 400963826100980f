import { shownBytes } from '../../../shown/bytes.ts'
import { shownNumber } from '../../../shown/numbers.ts'
import { shownAgo, shownDuration, shownMoment } from '../../../shown/times.ts'
import { wordsOf } from '../audit/audit-words.ts'
import type { System } from './system-words.ts'

interface Fact {
  readonly name: string
  readonly value: string
  readonly title?: string | undefined
}

type Facts = readonly Fact[]

const ago = (name: string, at: string | null): Facts =>
  at === null ? [] : [{ name, value: shownAgo(at), title: shownMoment(at) }]

const roles = { all: 'all (API and batches)', api: 'API', worker: 'batches' } as const

export const serverFacts = ({ server }: System): Facts => [
  { name: 'Version', value: server.version },
  { name: 'Node.js', value: server.node },
  ...ago('Started', server.startedAt),
  { name: 'Host', value: server.host },
  { name: 'Role', value: roles[server.role] },
  { name: 'Cores', value: String(server.cores) },
  { name: 'Memory', value: shownBytes(server.memoryBytes), title: 'Of this process, without its renderers' },
  {
    name: 'Answers',
    value: `${shownNumber(server.answers.good)} good, ${shownNumber(server.answers.refused)} refused, ${shownNumber(server.answers.failed)} failed`,
    title: 'Since the start; refused are 4xx, failed 5xx',
  },
]

export const serverList = ({ servers }: System): Facts =>
  servers.map(({ number, isThis, since, address }) => ({
    name: `${isThis ? 'This one' : 'Server'}, no. ${number}`,
    value: [address, since && `since ${shownAgo(since)}`].filter(Boolean).join(', '),
    title: since ? shownMoment(since) : undefined,
  }))

export const databaseFacts = ({ database: { kind, version, bytes, latencyMs, connections } }: System): Facts => [
  { name: 'PostgreSQL', value: `${version.split(' ')[0]}, ${kind === 'embedded' ? 'embedded' : 'DATABASE_URL'}` },
  { name: 'Size', value: shownBytes(bytes), title: `${shownNumber(bytes)} bytes on its disk` },
  { name: 'Response time', value: latencyMs < 10 ? `${latencyMs} ms` : shownDuration(latencyMs) },
  { name: 'Connections', value: `${connections.busy} busy of ${connections.most}` },
  ...(connections.waiting > 0 ? [{ name: 'Wait for one', value: shownNumber(connections.waiting) }] : []),
]

export const batchFacts = ({ batches }: System): Facts => [
  { name: 'In progress, queued', value: `${shownNumber(batches.processing)}, ${shownNumber(batches.queued)}` },
  { name: 'Images in progress', value: shownNumber(batches.images.atWork) },
  { name: 'Images waiting', value: shownNumber(batches.images.waiting) },
  ...ago('Oldest made', batches.oldestAt),
  ...ago('Last progress', batches.progressAt),
  { name: 'Results kept', value: shownNumber(batches.kept) },
  { name: 'Converted by', value: batches.worksHere ? 'this server' : 'other servers' },
]

export const webhookFacts = ({ webhooks }: System): Facts => [
  { name: 'Waiting', value: shownNumber(webhooks.waiting) },
  { name: 'Due now', value: shownNumber(webhooks.due) },
  { name: 'In progress', value: shownNumber(webhooks.underWay) },
  ...ago('Oldest', webhooks.oldestAt),
]

const whose = { platform: 'Ours', byok: "Callers'" } as const

export const aiFacts = ({ ai: { model, server, savesKeys, waiting, outcomes } }: System): Facts => [
  { name: 'Model', value: model ?? 'none' },
  ...(server === null ? [] : [{ name: 'Server', value: server }]),
  { name: 'Keys of accounts', value: savesKeys ? 'can be saved' : 'cannot be saved' },
  ...waiting
    .filter(({ questions }) => questions > 0)
    .map(({ provider, questions }) => ({ name: `${whose[provider]}, waiting`, value: shownNumber(questions) })),
  ...outcomes.map(({ provider, outcome, questions }) => ({
    name: `${whose[provider]}, ${outcome === 'ok' ? 'answered' : outcome.replaceAll('_', ' ')}`,
    value: shownNumber(questions),
    title: 'Since the start',
  })),
]

export const housekeepingFacts = ({ housekeeping: { failedJobs, ledgerMismatches, lostStatistics } }: System): Facts => [
  {
    name: 'Ledger',
    value: ledgerMismatches === 0 ? 'agrees with all credits' : `${shownNumber(ledgerMismatches)} accounts differ`,
  },
  { name: 'Lost statistics', value: shownNumber(lostStatistics) },
  ...(failedJobs.length === 0
    ? [{ name: 'Failed jobs', value: 'none' }]
    : failedJobs.map(({ job, times }) => ({ name: wordsOf(job.replaceAll('-', '_')), value: `failed ${times}×` }))),
]
