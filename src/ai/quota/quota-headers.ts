import type { DailyImages } from '../../contract/allowance.ts'

/** For the documentation. */
export const quotaHeaderTexts = {
  'X-AI-Limit': 'Images for the AI endpoints in a UTC day; "unlimited" where there is no limit. Not with userProvider.',
  'X-AI-Remaining': 'Images left today; "unlimited" where there is no limit.',
  'X-AI-Reset': 'When the count starts anew: 00:00 UTC, in seconds since 1970 (Unix time).',
} as const

const count = (images: number | null): string => (images === null ? 'unlimited' : String(images))

export const quotaHeaders = ({ limit, remaining, resetsAt }: DailyImages): Record<string, string> => ({
  'x-ai-limit': count(limit),
  'x-ai-remaining': count(remaining),
  'x-ai-reset': String(resetsAt.getTime() / 1000),
})
