import type { ApiFailure } from '../api/api-failure.ts'

export interface Toast {
  readonly id: number
  readonly kind: 'done' | 'failed'
  readonly text: string
  readonly requestId?: string | undefined
}

/** A toast stays long enough to be read twice; a failure stays until it is dismissed. */
const SHOWN_MS = 6_000
const MOST = 4

class Toasts {
  list = $state.raw<readonly Toast[]>([])
  #next = 1

  confirm(text: string): void {
    const id = this.#add({ kind: 'done', text })
    setTimeout(() => this.dismiss(id), SHOWN_MS)
  }

  readonly warn = ({ message, requestId }: Pick<ApiFailure, 'message' | 'requestId'>): void => {
    this.#add({ kind: 'failed', text: message, requestId })
  }

  readonly dismiss = (id: number): void => {
    this.list = this.list.filter((toast) => toast.id !== id)
  }

  #add(toast: Omit<Toast, 'id'>): number {
    const id = this.#next++
    this.list = [...this.list, { ...toast, id }].slice(-MOST)
    return id
  }
}

export const toasts = new Toasts()
