import type { PoolOf, Remover } from './remover.ts'

/** The remover that needs no service and no model: colours, edges and their arrangement tell the subject, in a renderer. */
export const localRemover = (poolOf: PoolOf): Remover => ({
  name: 'local',
  async remove(source, { account, ...wish }, signal) {
    const { report, files } = await poolOf(account).study('background', wish, source, signal)
    const [bytes] = files
    return bytes ? { ...report, bytes } : { confidence: report.confidence }
  },
})
