import { writtenFormats } from '@pixelmill/codecs/image-formats'
import type { OperationField } from '../../../api/image-operation.ts'
import { imageOperations } from '../../../api/image-operations.ts'
import { choiceWords, type FieldLook, fieldLooks } from '../../playground/field-looks.ts'

const { visualQuality, maxBytes, effort, metadata, icc, hdr } = imageOperations.convert.fields

/** What an output of a recipe can say beside its steps. */
export const outputFields: Readonly<Record<string, OperationField>> = {
  name: { kind: 'text', longest: 64, default: 'image', required: true, description: 'Name of the file.' },
  format: {
    kind: 'choice',
    choices: ['same', 'auto', 'best', ...writtenFormats],
    default: 'same',
    description: 'Format of the file.',
  },
  quality: { kind: 'integer', min: 1, max: 100, description: 'Quality of the file.' },
  maxBytes,
  visualQuality,
  effort,
  dpr: { kind: 'number', min: 0.1, max: 5, default: 1, description: 'Multiplies the sizes of its own resizes.' },
  metadata,
  icc,
  hdr,
}

export const outputLooks: Readonly<Record<string, FieldLook>> = {
  ...fieldLooks,
  name: { label: 'Name', half: true, empty: 'image' },
  format: {
    label: 'Format',
    half: true,
    words: { ...choiceWords, same: 'As the picture', auto: 'Best of the browser', best: 'Fewest bytes' },
  },
  quality: { label: 'Quality', slider: true, empty: 'usual' },
  maxBytes: { label: 'Most bytes', unit: 'B', empty: 'any', rare: true },
  dpr: { label: 'Density', rare: true, step: 0.1, slider: true },
}
