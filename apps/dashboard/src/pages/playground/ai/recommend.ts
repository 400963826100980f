import { type Answer, api } from '../../../api/client.ts'
import { imageOperations } from '../../../api/image-operations.ts'
import { toolForms } from '../../../api/tool-forms.ts'
import { FieldForm } from '../field-form.svelte.ts'
import { bench } from '../forms.svelte.ts'
import { runOperation } from '../run-operation.ts'
import { ToolRun } from '../tool-run.svelte.ts'
import { toDataUri } from './data-uri.ts'
import { jsonBody } from './json-body.ts'
import type { Models } from './models.svelte.ts'
import { onlyResult } from './only-result.ts'
import { recommendLooks } from './tool-looks.ts'

type Asked = Answer<'/v1/ai/recommend', 'post'>
export type Recommendation = Extract<Asked['results'][number], { status: 'ok' }>

export interface Recommended {
  readonly answer: Asked
  readonly said: Recommendation
}

export const form = new FieldForm(toolForms.recommend.fields, recommendLooks)
export const run = new ToolRun<Recommended>()
export const fingerprint = (models: Models): string => JSON.stringify([form.params(), models.whose])
export const bodyOf = (data: string, filename: string) => ({ images: [{ data, filename }], ...jsonBody(form) })
export const { path } = toolForms.recommend

export function recommend(source: File, models: Models): void {
  const provider = models.provider()
  void run.start(source, fingerprint(models), async (signal) => {
    const body = { ...bodyOf(await toDataUri(source), source.name), ...provider }
    const answer = await api.post('/v1/ai/recommend', { body, signal })
    return { answer, said: onlyResult(answer.results) }
  })
}

/** The file is best left unchanged. */
export const isBestAsItIs = ({ current, recommended }: Recommendation): boolean =>
  recommended.savedPercent === 0 && recommended.format === current.format && recommended.quality === null

const targetFormats: readonly string[] = imageOperations.convert.fields.format.choices
/** Convert writes PNG without loss, and no other format. */
export const canConvert = (recommendation: Recommendation): boolean =>
  !isBestAsItIs(recommendation) &&
  targetFormats.includes(recommendation.recommended.format) &&
  (recommendation.recommended.quality !== null || recommendation.recommended.format === 'png')

/** Fills the form of Convert with the recommendation, and runs it. */
export function convertWith({ current, recommended }: Recommendation, picture: File): void {
  const { form: convert, run: conversion } = bench.convert
  const { format, quality, width, height } = recommended
  const isSmaller = width !== current.width || height !== current.height
  Object.assign(convert.values, {
    format,
    quality: quality ?? 100,
    width: isSmaller ? width : undefined,
    height: isSmaller ? height : undefined,
  })
  runOperation(convert, conversion, picture)
}
