import type { Answer } from '../../api/client.ts'

export type TrialAnswer = Answer<'/api/user/ai-key/test', 'post'>
type Fault = Extract<TrialAnswer, { ok: false }>['error']

/** Advice for each failure of a trial. */
export const trialAdvice: Readonly<Record<Fault, string>> = {
  auth: 'Copy the whole key again, or create a new one there.',
  quota: 'Add credit to the account there, or raise its limit.',
  model_not_found: 'Compare the name of the model and the address with the documentation of the provider.',
  no_vision: 'Choose a model that accepts pictures; such models often have “vision” or “vl” in their names.',
  refused: 'It declined a picture of a red square. Choose another model.',
  bad_output: 'Check that the address is where its OpenAI-compatible API begins; most end in /v1.',
  network: 'Check the address, and that the server is up and can be reached from here.',
  rate_limited: 'Wait a minute, then test again.',
  timeout: 'A large model on a slow machine takes long, especially the first time: test again, or choose a smaller one.',
}

/** Whether the description fits our picture: some models answer without having seen it. */
export const hasSeen = (saw: string): boolean => /\bred\b|crimson|scarlet/i.test(saw)
