import type { Setting } from 'pixelmill/settings/setting'
import { z } from 'zod'
import { creditPackages, DEFAULT_PACKAGES } from '../billing/packages.ts'
import { origin } from '../contract/origin.ts'

/** Selling credits. */
export const billingSettings = {
  STRIPE_SECRET_KEY: {
    schema: z
      .string()
      .regex(/^[sr]k_(test|live)_\w+$/, 'must be a secret or restricted key of Stripe, sk_… or rk_…')
      .optional(),
    otherwise: 'credits are not sold; the administrator grants them',
    description: 'Sell credits through Stripe; see docs/billing.md.',
    secret: true,
  },
  STRIPE_WEBHOOK_SECRET: {
    schema: z
      .string()
      .regex(/^whsec_\S+$/, 'must be the signing secret of an endpoint at Stripe, whsec_…')
      .optional(),
    otherwise: 'needed with STRIPE_SECRET_KEY',
    description: 'Signing secret of the endpoint at Stripe that calls /api/stripe/webhook.',
    secret: true,
  },
  STRIPE_API_BASE: {
    schema: origin('https').default('https://api.stripe.com'),
    otherwise: 'https://api.stripe.com',
    description: 'Address of the Stripe API; http only on this machine.',
  },
  CREDIT_PACKAGES: {
    schema: creditPackages.prefault(DEFAULT_PACKAGES),
    otherwise: DEFAULT_PACKAGES,
    description: 'Packages for sale, as id=credits@price with the currency, in the order shown.',
  },
} as const satisfies Record<string, Setting>
