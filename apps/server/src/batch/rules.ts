import { limits } from '@pixelmill/codecs/contract/limits'

const { crashes, lostWorkers, resultSeconds } = limits.batches

/** What the functions of the database are told: limits, and what they write into rows that people read. */
export const batchRules = JSON.stringify({
  endpoint: '/api/v2/batch',
  noneConverted: 'None of the images could be converted; of the first: ',
  lost: 'The image could not be processed: five workers were lost with it.',
  crashes,
  lostWorkers,
  resultSeconds,
  reconnectSeconds: limits.reconnectSeconds,
})
