import { setTimeout as sleep } from 'node:timers/promises'

/** METRICS_TOKEN of the servers that tests start. */
export const METRICS_TOKEN = 'the-metrics-of-tests'

type Read = { readonly url: string }

/** A server computes its metrics at most once a second. */
const KEPT_MS = 1_000
const readAt = new Map<string, number>()

/** What a server's /metrics says now: never a text that this process, which alone uses the server, has read before. */
export async function metricsOf({ url }: Read): Promise<string> {
  const left = (readAt.get(url) ?? Number.NEGATIVE_INFINITY) + KEPT_MS - performance.now()
  if (left > 0) await sleep(left)
  const text = await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })).text()
  readAt.set(url, performance.now())
  return text
}

/**
 * The value of a metric in a server's /metrics, by its name without the prefix: the sum of all samples with at least these
 * labels.
 * Undefined where there is none.
 */
export async function readMetric(
  server: Read,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  return valueIn(await metricsOf(server), name, labels)
}

/** The same in a text that was read. */
export function valueIn(text: string, name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
  const samples = text.matchAll(new RegExp(`^pixelmill_${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))
  const wantedTexts = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  const values = [...samples].flatMap(([, toldText = '', value]) => {
    const all = toldText.split(/,(?=\w+=")/)
    return wantedTexts.every((label) => all.includes(label)) ? [Number(value)] : []
  })
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value)
}
