/**
 * What an image answer may warn of: the answer is right as far as it goes, but not all of the file is in it. Each is an
 * identifier in the header X-Image-Warnings; OpenAPI and docs/errors.md list the table.
 */
export const warnings = {
  first_frame_only: 'The file is animated; the answer has only its first frame.',
  first_page_only: 'The file has several pages; the answer has only the first.',
  later_frames_damaged: 'A later frame of the animation is damaged; the answer ends with the frame before it.',
  missing_end: 'The file lacks its end, after the last row of its pixels; the answer has all rows.',
} as const

export type WarningName = keyof typeof warnings

export const warningNames = Object.keys(warnings) as [WarningName, ...WarningName[]]

/** Warnings about the file itself, which an answer with the file as it came has too. */
export const ofTheFile: readonly WarningName[] = ['missing_end']
