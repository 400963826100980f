import type { Answer } from '../../api/client.ts'

export type TrialAnswer = Answer<'/api/user/ai-key/test', 'post'>
type Fault = Extract<TrialAnswer, { ok: false }>['error']

/** What to do about what a trial failed with. */
export const trialAdvice: Readonly<Record<Fault, string>> = {
  auth: 'Copy the key again, whole, or make a new one there.',
  quota: 'Add credit to the account there, or lift its limit.',
  model_not_found: 'Compare the name of the model, letter by letter, and the address with what the provider says.',
  no_vision: 'Choose a model that takes pictures; they often have “vision” or “vl” in their names.',
  refused: 'It declined a picture of a red square. Choose another model.',
  bad_output: 'Check that the address is where its OpenAI-compatible API begins; most end in /v1.',
  network: 'Check the address, and that the server is up and can be reached from here.',
  rate_limited: 'Wait a minute, then test again.',
  timeout: 'A large model on a slow machine takes long, above all the first time: test again, or choose a smaller one.',
}

/** Whether the words fit our picture: some models answer without having looked. */
export const hasSeen = (saw: string): boolean => /\bred\b|crimson|scarlet/i.test(saw)
