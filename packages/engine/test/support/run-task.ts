import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { NO_PROGRAMS } from '@pixelmill/codecs/programs'
import type { TaskName, TaskParams, TaskReport } from '../../src/tasks/index.ts'
import type { TaskResult } from '../../src/tasks/task.ts'
import { run } from '../../src/way-of-a-picture.ts'

/** Runs a task in this process, as a renderer does in its own, however heavy the image is. */
export async function runTask<Name extends TaskName>(
  task: Name,
  params: TaskParams<Name>,
  ...files: readonly Buffer[]
): Promise<TaskResult<TaskReport<Name>>> {
  const result = await run({ task, params }, files, { megapixels: Number.POSITIVE_INFINITY }, NO_PROGRAMS)
  if ('megapixels' in result) throw new ImageError('conversion_failed')
  // A renderer's answer has the task's report too.
  return result as TaskResult<TaskReport<Name>>
}
