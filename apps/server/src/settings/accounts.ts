import { limits } from '@pixelmill/codecs/contract/limits'
import { likeApi, type Setting, whole } from 'pixelmill/settings/setting'
import { z } from 'zod'
import { email } from '../accounts/email.ts'
import { givenPassword } from '../accounts/password-text.ts'
import { API_KEY } from '../contract/api-key.ts'
import { planNames } from '../contract/plans.ts'
import { DEFAULT_TRIAL_CALLS, trialCalls } from '../metering/calls.ts'

const SIGN_UP = ['open', 'closed'] as const

/** Accounts and the first administrator. */
export const accountsSettings = {
  ADMIN_EMAIL: {
    schema: likeApi(email, 'must be an e-mail address').default('admin@localhost.local'),
    otherwise: 'admin@localhost.local',
    description: 'E-mail address of the first administrator, made in an empty database.',
  },
  ADMIN_PASSWORD: {
    schema: likeApi(
      givenPassword,
      `must have ${limits.passwordLength.min} to ${limits.passwordLength.max} characters`,
    ).optional(),
    otherwise: 'generated and printed once',
    description: "The first administrator's password.",
    secret: true,
  },
  ADMIN_API_KEY: {
    schema: z.string().regex(API_KEY, 'must be sk_ followed by 48 letters and digits').optional(),
    otherwise: 'generated and printed once',
    description: "The first administrator's API key.",
    secret: true,
  },
  SIGN_UP: {
    schema: z.enum(SIGN_UP, `must be one of ${SIGN_UP.join(', ')}`).default('open'),
    otherwise: 'open',
    description: 'Who may create accounts: open for everyone, closed for administrators only.',
  },
  DEFAULT_PLAN: {
    schema: z.enum(planNames, `must be one of ${planNames.join(', ')}`).default('free'),
    otherwise: 'free',
    description: `Plan of new accounts: ${planNames.join(', ')}. On free and pro, API keys and batches need credits.`,
  },
  SIGN_UPS_PER_HOUR: {
    schema: whole(0, 1_000_000).default(limits.newEmailsPerHour),
    otherwise: String(limits.newEmailsPerHour),
    description:
      'Accounts made and e-mail addresses changed from one network in any hour; 0 is no limit. Raise it if many users share one address.',
  },
  PREVIEWS_PER_HOUR: {
    schema: whole(0, 1_000_000).default(limits.preview.perHour),
    otherwise: String(limits.preview.perHour),
    description:
      'Free previews of the dashboard for an account in any hour; 0 for none. An account without API access, credits and trial calls has none.',
  },
  TRIAL_CALLS: {
    schema: trialCalls.prefault(DEFAULT_TRIAL_CALLS),
    otherwise: DEFAULT_TRIAL_CALLS,
    description:
      'Image operations that an account without API access and credits may try in the dashboard in a UTC month, by plan; a number alone is for both, 0 for none.',
  },
} as const satisfies Record<string, Setting>
