import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ModelsSettings } from './models/find-models.ts'
import { modelsSettings } from './settings/models.ts'
import { readSettings, type Values } from './settings/read-settings.ts'
import { renderingSettings } from './settings/rendering.ts'

export interface RenderingSettings extends Values<typeof renderingSettings> {
  /** Folders of programs, as in PATH. */
  readonly programPath: string | undefined
}

/** What commands without a server take from the environment. */
export interface Environment {
  readonly rendering: RenderingSettings
  /** The address of the S3 server, as the tools of AWS read it; undefined means Amazon's. */
  readonly s3Endpoint: string | undefined
  /** The values of `--server` and `--key`, if those are not given. */
  readonly server: string | undefined
  readonly key: string | undefined
  /** The folder where programs keep their state, by the XDG Base Directory Specification. */
  readonly stateFolder: string
}

/** Reads the environment, and `.env` of the working directory as the server does. @throws StartError for an invalid setting */
export function readEnvironment(): Environment {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const { env } = process
  return {
    rendering: { ...readSettings(renderingSettings, env), programPath: env.PATH },
    s3Endpoint: env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || undefined,
    server: env.PIXELMILL_SERVER || undefined,
    key: env.PIXELMILL_KEY || undefined,
    stateFolder: env.XDG_STATE_HOME || join(homedir(), '.local/state'),
  }
}

/** Reads the settings of models as the server does. @throws StartError for an invalid one */
export function readModelsEnvironment(): ModelsSettings {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return { ...readSettings(modelsSettings, process.env), DATA_DIR: process.env.DATA_DIR?.trim() || './data' }
}

/** Gives settings the values of options, which precede the environment and `.env`. */
export function presetEnvironment(settings: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(settings)) if (value !== undefined) process.env[name] = value
}
