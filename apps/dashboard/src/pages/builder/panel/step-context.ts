import type { ApiFailure } from '../../../api/api-failure.ts'
import type { Size } from '../../playground/geometry.ts'
import type { ListId, StepPlace } from '../draft/draft.svelte.ts'

/** What the cards of steps know beside the recipe. */
export interface StepContext {
  /** Why the output that is shown could not be rendered. */
  readonly failure: ApiFailure | undefined
  /** The size of the picture that a step is done to; undefined where no picture is open, or only the pixels say it. */
  sizeBefore(place: StepPlace): Size | undefined
  /** That of the picture after all steps of a list. */
  sizeAfter(list: ListId): Size | undefined
}
