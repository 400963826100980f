export { default as AccessStep } from './AccessStep.svelte'
export { default as CallStep } from './CallStep.svelte'
