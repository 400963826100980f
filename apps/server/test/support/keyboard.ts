import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** Passed as a string, since these globals exist only in the browser. Describes the focused element by its role and name. */
const FOCUSED = `(() => {
  const element = document.activeElement
  const label = element.ariaLabel || element.labels?.[0]?.textContent || element.textContent || ''
  const shown = element.matches('.spoken') ? element.parentElement.querySelector('.face') ?? element : element
  const style = getComputedStyle(shown)
  return {
    name: label.trim().replace(/\\s+/g, ' '),
    isBody: element === document.body,
    isStop: element.tabIndex >= 0,
    isMarked: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0,
  }
})()`

interface Focused {
  readonly name: string
  readonly isBody: boolean
  /** False for a heading, which is focused when its page opens and shows no focus ring. */
  readonly isStop: boolean
  readonly isMarked: boolean
}

const MOST_STOPS = 60

/** Presses Tab until the element with this name has the focus; every stop must have a visible focus ring. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passedTexts: string[] = []
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    const { name: here, isBody, isStop, isMarked } = await page.evaluate<Focused>(FOCUSED)
    const isThere = typeof name === 'string' ? here === name : name.test(here)
    if (isThere && isStop && !isBody) return
    await page.keyboard.press('Tab')
    if (isBody || !isStop) continue
    passedTexts.push(here)
    assert.ok(isMarked || stop === 0, `the focus on “${here}” cannot be seen`)
  }
  assert.fail(`no Tab leads to ${name}; it went over ${passedTexts.join(', ')}`)
}

/** Whether an element within `selector` has the focus: a script for the page, as a string, since `document` exists only there. */
export const hasFocus = (selector: string) => `document.activeElement?.closest('${selector}') !== null`
