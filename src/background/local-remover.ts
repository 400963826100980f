import type { Pool } from '../rendering/pool.ts'
import type { Remover } from './remover.ts'

/** The remover that needs no service and no model: colours, edges and their arrangement tell the subject, in a renderer. */
export const localRemover = (pool: Pick<Pool, 'study'>): Remover => ({
  name: 'local',
  async remove(source, wish, signal) {
    const { report, files } = await pool.study('background', wish, source, signal)
    const [bytes] = files
    return bytes ? { ...report, bytes } : { confidence: report.confidence }
  },
})
