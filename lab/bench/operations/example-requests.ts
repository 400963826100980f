import { type OperationName, operations } from '@pixelmill/engine/tasks/index'

/** Fields that suit small pictures of any format. */
const fields: Record<OperationName, Readonly<Record<string, string>>> = {
  convert: { format: 'webp' },
  resize: { width: '64', height: '64' },
  crop: { x: '2', y: '2', width: '32', height: '32' },
  flip: {},
  flop: {},
  watermark: { opacity: '50' },
  optimize: {},
}

/** A request to each image operation, so that none is left out of a run over all of them. */
export const exampleRequests = Object.entries(operations).map(([name, { files }]) => ({
  name,
  path: `/api/v1/${name}`,
  files,
  fields: fields[name as OperationName],
}))
