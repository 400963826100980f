import type { Meter } from './meter.ts'
import type { Watched } from './watched.ts'

/** What this process is, and how it started. */
export interface ProcessMetrics {
  onStart(what: { readonly version: string; readonly role: string }): void
  /** It answers, or works: everything of the start is done. */
  onReady(): void
}

export function processMetrics(meter: Meter, watched: Partial<Watched>): ProcessMetrics {
  const build = meter.gauge('build_info', 'Always 1; what runs is in the labels.', ['version', 'node', 'role'])
  const start = meter.gauge('start_seconds', 'Time from the start of the process until it answered, or worked.')
  meter.number('present', 'Whether other servers see this one: 1 or 0. While they do not, its work may be given to them.', () =>
    watched.presence ? Number(watched.presence.held()) : undefined,
  )
  return {
    onStart: (what) => build.set({ ...what, node: process.versions.node }, 1),
    onReady: () => start.set(process.uptime()),
  }
}
