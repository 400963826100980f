import { NO_PROGRAMS } from '@pixelmill/codecs/programs'
import type { TaskRunner } from '@pixelmill/engine/rendering/pool'
import type { Files } from '@pixelmill/engine/rendering/protocol'
import type { TaskName, TaskParams, TaskReport } from '@pixelmill/engine/tasks/index'
import type { TaskResult } from '@pixelmill/engine/tasks/task'
import { run } from '@pixelmill/engine/way-of-a-picture'
import { ApiError, isRefusal } from '../../src/contract/api-error.ts'

/** Runs tasks in this process: for tests of what uses them, since a renderer takes 0.7 s of processor time to start. */
export const inProcess: TaskRunner = { run: (task, params, files) => runHere(task, params, files) }

/** As the renderer and its protocol do it: of the cause of an error its sentence is left. */
async function runHere<Name extends TaskName>(
  task: Name,
  params: TaskParams<Name>,
  files: Files,
): Promise<TaskResult<TaskReport<Name>>> {
  const whole = files.map((parts) => Buffer.concat(parts))
  const result = await run({ task, params }, whole, { megapixels: Number.POSITIVE_INFINITY }, NO_PROGRAMS).catch(
    (thrownValue: unknown) => {
      const { code, cause } = isRefusal(thrownValue) ? thrownValue : new ApiError('conversion_failed', { cause: thrownValue })
      throw new ApiError(code, { cause: cause instanceof Error ? cause.message : undefined })
    },
  )
  if ('megapixels' in result) throw new Error('the image is too heavy for any allowance')
  return result as TaskResult<TaskReport<Name>>
}
