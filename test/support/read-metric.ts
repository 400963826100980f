/**
 * The value of a metric in a server's /metrics, by its name without the prefix: the sum of all samples with at least these
 * labels.
 * Undefined where there is none.
 */
export async function readMetric(
  { url }: { readonly url: string },
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const samples = text.matchAll(new RegExp(`^pixelmill_${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  const values = [...samples].flatMap(([, told = '', value]) => {
    const all = told.split(/,(?=\w+=")/)
    return wanted.every((label) => all.includes(label)) ? [Number(value)] : []
  })
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value)
}
