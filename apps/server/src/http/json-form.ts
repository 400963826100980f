import type { IncomingMessage } from 'node:http'
import { refuseNul } from '@pixelmill/codecs/contract/nul'
import { z } from 'zod'
import { ApiError } from '../contract/api-error.ts'
import type { FormRead } from './read-form.ts'
import type { FormShape } from './route.ts'

const JSON_TYPE = /^application\/json\b/i

export const isJson = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean => JSON_TYPE.test(headers['content-type'] ?? '')

const object = z.record(z.string(), z.json())

/** What stands for the file of a form. */
const inPlaceOfFile = ['imageUrl', 'upload'] as const

/**
 * The fields of a form as a JSON object: texts, numbers and booleans as a form would have them, objects as their JSON.
 * @throws ApiError missing_form_data where it names no image: a form with a file was meant
 */
export function jsonForm(form: FormShape, value: unknown): FormRead {
  const { success, data } = object.safeParse(value)
  if (!success || !inPlaceOfFile.some((name) => name in data)) throw new ApiError('missing_form_data')
  const entries = Object.entries(data).filter(([, field]) => field !== null)
  const declaredNames = Object.keys(form.fields.shape)
  const fields = new Map(
    entries
      .filter(([name]) => declaredNames.includes(name))
      .map(([name, field]) => [name, [typeof field === 'string' ? field : JSON.stringify(field)]] as const),
  )
  refuseNul(data)
  const unknownNames = entries.map(([name]) => name).filter((name) => !declaredNames.includes(name))
  return { fields, files: new Map(), unknown: unknownNames, stored: undefined, held: undefined, release: () => {} }
}
