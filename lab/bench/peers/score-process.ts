import { answerParent } from '../measure/worker-process.ts'
import { scoresOf } from './score.ts'

answerParent(scoresOf)
