import type { Recipe } from '@pixelmill/engine/recipe/recipe'
import type { TaskName, TaskParams, TaskReport } from '@pixelmill/engine/tasks/index'
import type { TaskResult } from '@pixelmill/engine/tasks/task'

/** Runs a task of a renderer for the account of the source: the picture first, then further files. */
export type RunTask = <Name extends TaskName>(
  task: Name,
  params: TaskParams<Name>,
  files: readonly Buffer[],
) => Promise<TaskResult<TaskReport<Name>>>

/** What is to be sent of an original: itself, or what a recipe makes of it. */
export type Preparation =
  | 'original'
  | {
      /** Of one output. */
      readonly recipe: Recipe
      /** Files that its steps name and that are not of the source. */
      readonly files: ReadonlyMap<string, Buffer>
    }

/** Reads another path of the source. @throws ApiError source_image_not_found, source_unavailable, invalid_params */
export type ReadFile = (path: string) => Promise<Buffer>

/**
 * Decides by the picture itself, for URLs whose meaning depends on its size or its format.
 * @throws ApiError what is wrong with the picture, or does not suit it
 */
export type Prepare = (original: Buffer, run: RunTask, readFile: ReadFile) => Promise<Preparation>

/** How a browser is to treat the file. */
export interface Disposition {
  readonly type: 'inline' | 'attachment'
  /** Its name without an extension; by default that of the original. */
  readonly stem?: string
}
