/**
 * What a server's /metrics tell under a name, without its prefix: the sum of all samples that have these labels, among others.
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
