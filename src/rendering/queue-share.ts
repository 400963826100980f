/** How many times as many images as there are places left may wait for one account. */
const TIMES_THE_FREE = 7

/**
 * Whether one more image of an account may wait: dynamic thresholds (Choudhury and Hahne, 1998). One account alone comes to seven
 * eighths of the places, two to as many each as leave a fifteenth; so there is always a place for an account of which none waits.
 * @param own images of the account that wait
 * @param all images of all accounts that wait
 * @param places images that may wait
 */
export const mayWait = (own: number, all: number, places: number): boolean => own < TIMES_THE_FREE * (places - all)
