import { answerParent } from '../measure/worker-process.ts'
import { bareRender } from './bare-render.ts'

answerParent(bareRender)
