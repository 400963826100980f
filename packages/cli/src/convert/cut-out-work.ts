import { createHash } from 'node:crypto'
import { ENGINE } from '@pixelmill/codecs/contract/limits'
import { cutOutRequest } from '@pixelmill/engine/library/cut-out'
import { oneOutput } from '@pixelmill/engine/tasks/operation'
import { readModelsEnvironment } from '../environment.ts'
import { findModels } from '../models/find-models.ts'
import type { CutOutWork } from '../work.ts'

/**
 * What is done to every image when backgrounds are removed.
 * @param minConfidence 0 to 1; undefined means the usual one
 * @param isLocal whether this machine does it, with the model that is installed here if there is one
 * @throws StartError if the model cannot be used
 */
export async function cutOutWork(
  format: 'png' | 'webp',
  minConfidence: number | undefined,
  isLocal: boolean,
): Promise<CutOutWork> {
  const request = cutOutRequest({ format, minConfidence })
  const { background, grants } = isLocal ? await findModels({ ...readModelsEnvironment(), SR_MODEL_PATH: undefined }) : {}
  const model = background && grants ? { model: background.model, grants } : undefined
  const { path: _path, runtime: _runtime, threads: _threads, ...preparation } = background?.model ?? {}
  const facts = ['remove-background', request, background?.sha256, preparation, ENGINE]
  return {
    recipe: oneOutput([], { format }),
    cutOut: { ...request, model },
    hashes: [],
    version: createHash('sha256').update(JSON.stringify(facts)).digest('hex'),
  }
}
