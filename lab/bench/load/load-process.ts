import { answerParent } from '../measure/worker-process.ts'
import { closedLoop } from './closed-loop.ts'

answerParent(closedLoop)
