import { answerParent } from '../measure/worker-process.ts'
import { storm } from './storm.ts'

answerParent(storm)
