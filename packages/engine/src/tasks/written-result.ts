import { ofTheFile, type WarningName } from '@pixelmill/codecs/contract/warnings'
import type { ImageReport, OutputFile, PlannedTask, TaskResult, ToFinish } from './task.ts'

/**
 * The result of a task whose plan wrote these files.
 * @param warnings about what was decoded
 */
export function writtenResult(task: PlannedTask, outputs: readonly OutputFile[], warnings: readonly WarningName[]): TaskResult {
  const files = outputs.map(({ bytes }) => bytes)
  const finish: ToFinish[] = []
  const reports: ImageReport[] = []
  for (const [file, { codec, bytes: _, untouched, finish: rest, gainMap, ...facts }] of outputs.entries()) {
    reports.push({
      format: codec.name,
      warnings: warnings.filter((warning) => !untouched || ofTheFile.includes(warning)),
      ...facts,
    })
    if (!rest || !codec.finish) continue
    const { quality, otherwise } = rest
    finish.push({
      program: codec.finish,
      file,
      quality,
      ...(otherwise && { otherwise: files.push(otherwise) - 1 }),
      ...(gainMap && { gainMap: { file: files.push(gainMap.upright) - 1, values: gainMap.values } }),
    })
  }
  const [first, ...more] = reports
  if (!first) throw new Error('a plan wrote no image')
  return { report: task.reportOn([first, ...more]), files, ...(finish.length > 0 && { finish }) }
}
