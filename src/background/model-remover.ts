import type { Models } from '../models/models.ts'
import { ModelUnavailable } from '../models/watched-model.ts'
import { AlreadyCutOut, type Remover, RemoverUnavailable } from './remover.ts'

/** Cuts out by the operator's own model; undefined where there is none. */
export function modelRemover({ cutOut }: Pick<Models, 'cutOut'>): Remover | undefined {
  return (
    cutOut && {
      name: 'model',
      async remove(source, { format, account }, signal) {
        const { report, file } = await cutOut(account, source, format, signal).catch(asUnavailable)
        const { alreadyCutOut, confidence, width, height } = report
        if (alreadyCutOut) throw new AlreadyCutOut('the picture came cut out')
        if (!file) throw new RemoverUnavailable('the model saw no subject')
        return { bytes: file, width, height, confidence }
      },
    }
  )
}

function asUnavailable(error: unknown): never {
  if (error instanceof ModelUnavailable) throw new RemoverUnavailable(`the model: ${error.message}`, { cause: error })
  throw error
}
