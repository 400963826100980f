import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { type KnownModel, knownModels } from '@pixelmill/vision/inference/known-models'
import { type MaskPresetName, presetOfFile } from '@pixelmill/vision/inference/mask-presets'
import { InvalidArgumentError } from 'commander'
import { MODEL_MEMORY } from './find-models.ts'
import { type InstalledModel, modelName } from './installed-models.ts'

export interface AddOptions {
  readonly from?: string
  readonly sha256?: string
  readonly name?: string
  readonly preset?: MaskPresetName
  readonly allowHttp?: boolean
}

/** A model that is to be added, and where its file is. */
export interface OrderedModel extends Omit<InstalledModel, 'sha256' | 'bytes'> {
  readonly name: string
  readonly what: string | undefined
  /** Undefined for a file of one's own. */
  readonly sha256: string | undefined
  /** Undefined where only the server knows it. */
  readonly bytes: number | undefined
}

/** @param place a name of the table, a URL or a file. @throws InvalidArgumentError */
export function orderedModel(place: string, { from, sha256, name, preset }: AddOptions): OrderedModel {
  const hash = sha256?.toLowerCase()
  if (hash !== undefined && !/^[0-9a-f]{64}$/.test(hash))
    throw new InvalidArgumentError('--sha256 must be 64 hexadecimal digits, as sha256sum prints them.')
  const knownModel: KnownModel | undefined = Object.hasOwn(knownModels, place) ? knownModels[place] : undefined
  if (knownModel) {
    if (hash !== undefined || name !== undefined || preset !== undefined)
      throw new InvalidArgumentError(
        `${place} has its hash, name and preset in our table: leave out --sha256, --name and --preset.`,
      )
    const { address, ...row } = knownModel
    return { ...row, name: place, from: from ?? address }
  }
  if (from !== undefined) throw new InvalidArgumentError('--from is another address of a model that we know by its name.')
  if (!isAddress(place) && !existsSync(place))
    throw new InvalidArgumentError(
      `${place} is no model that we know (${Object.keys(knownModels).join(', ')}), no https URL, and no file.`,
    )
  if (isAddress(place) && hash === undefined)
    throw new InvalidArgumentError(
      'A URL needs --sha256: the hash that whoever publishes the model says, or that you have checked.',
    )
  const file = isAddress(place) ? decodeURIComponent(basename(new URL(place).pathname)) : basename(place)
  const ownName = name ?? file.toLowerCase().replace(/\.onnx$/, '')
  if (!modelName.safeParse(ownName).success || Object.hasOwn(knownModels, ownName))
    throw new InvalidArgumentError(
      `--name: ${ownName} must be small letters, digits, dots, hyphens and underscores, at most 64, and no name of our table.`,
    )
  return {
    name: ownName,
    from: place,
    sha256: hash,
    bytes: undefined,
    licence: undefined,
    preset: preset ?? presetOfFile(file),
    memoryMegabytes: MODEL_MEMORY,
    what: undefined,
  }
}

export const isAddress = (place: string): boolean => /^https?:\/\//i.test(place) && URL.canParse(place)
