import type { KeySecret } from './ai/key-vault.ts'
import { secretsWithFile } from './ai/secret-file.ts'
import type { Config } from './config.ts'
import { holdDataFolder, makeDataFolder } from './database/data-folder.ts'
import type { DatabaseTarget } from './database/database.ts'
import { type EmbeddedOptions, startEmbedded } from './database/embedded/server.ts'
import type { Log } from './log.ts'
import { type FoundModels, findModels } from './models/find-models.ts'
import { type ConfinedRenderers, confineRenderers } from './rendering/sandbox/renderers.ts'

export interface DataDoor {
  readonly dataDir: string
  readonly target: DatabaseTarget
  /** For the AI keys that accounts save; undefined where they can save none. */
  readonly keySecrets: readonly KeySecret[] | undefined
}

export interface Rendering {
  readonly found: FoundModels
  readonly renderers: ConfinedRenderers
}

/** What other programs need time for: it is begun with nothing but the settings, while the rest of our code is loaded. */
export interface Early extends AsyncDisposable {
  /** Rejects with a StartError. */
  readonly data: Promise<DataDoor>
  /** Rejects with a StartError. */
  readonly rendering: Promise<Rendering>
}

export function beginEarly(config: Config, log: Log, phases: StartPhases): Early {
  const opened = new AsyncDisposableStack()
  const data = phases.during('postgres', () => openData(config, log, opened))
  const rendering = phases.during('confinement', () => prepareRendering(config))
  // Whoever awaits them hears of a failure; until then it is not one that nobody handles.
  const settled = Promise.allSettled([data, rendering])
  return {
    data,
    rendering,
    async [Symbol.asyncDispose]() {
      await settled
      await opened.disposeAsync()
    },
  }
}

async function prepareRendering(config: Config): Promise<Rendering> {
  // Nobody asks a worker for what models do.
  const found = config.ROLE === 'worker' ? {} : await findModels(config)
  return { found, renderers: await confineRenderers({ ...config, startAtOnce: config.RENDERERS }, found.grants) }
}

/** Held by the server whose database is in it. With DATABASE_URL the parts of one service may share it for their files. */
async function openData(config: Config, log: Log, opened: AsyncDisposableStack): Promise<DataDoor> {
  const { DATA_DIR: dir, DATABASE_URL: url, AI_KEY_ENCRYPTION_SECRET: setting } = config
  if (url !== undefined) {
    // A file of this server's own would be no secret that other servers on the database know.
    if (!setting) log.info('accounts can save no AI keys: with DATABASE_URL, set AI_KEY_ENCRYPTION_SECRET on every server')
    return { dataDir: await makeDataFolder(dir), target: { url }, keySecrets: setting }
  }
  const folder = await holdDataFolder(dir)
  opened.defer(() => folder.release())
  const keySecrets = await secretsWithFile(folder.path, setting)
  const embedded = await startEmbedded({ dataDir: folder.path, ...tellOfPostgres(log) })
  opened.defer(() => embedded.stop())
  return { dataDir: folder.path, target: { socketDir: embedded.socketDir }, keySecrets }
}

/** What an operator has to know of PostgreSQL's log: that one of its processes died, or that it lacks room. */
const ALARMING = /^PANIC|was terminated by signal|No space left/

function tellOfPostgres(parent: Log): Omit<EmbeddedOptions, 'dataDir'> {
  const log = parent.child({ component: 'postgres' })
  return {
    onLog: (line) => log[ALARMING.test(line) ? 'warn' : 'debug'](line),
    outages: {
      onEnd: (reason, nextTryInSeconds) => log.error({ reason, nextTryInSeconds }, 'PostgreSQL is away'),
      onBack: (seconds) => log.warn({ seconds: Number(seconds.toFixed(1)) }, 'PostgreSQL is back'),
    },
  }
}

/** When each part of a start began and ended: milliseconds since the process began. */
export type PhaseTimes = Readonly<Record<string, readonly [began: number, ended: number]>>

/** For operators who wonder what a start waits for, and for the bench. */
export interface StartPhases {
  during<Result>(name: string, work: () => Promise<Result>): Promise<Result>
  times(): PhaseTimes
}

export function startPhases(): StartPhases {
  const times: Record<string, readonly [number, number]> = {}
  return {
    async during(name, work) {
      const began = performance.now()
      try {
        return await work()
      } finally {
        times[name] = [Math.round(began), Math.round(performance.now())]
      }
    },
    times: () => times,
  }
}

/** As Promise.all, but when it rejects nothing is under way any more: what was opened meanwhile can be closed. */
export async function allDone<Results extends readonly unknown[]>(
  work: {
    readonly [At in keyof Results]: Promise<Results[At]>
  },
): Promise<Results> {
  await Promise.allSettled(work)
  return (await Promise.all(work)) as unknown as Results
}
