/** An account may have this many times as many waiting tasks as there are free places. */
const TIMES_THE_FREE = 7

/**
 * Whether a further task of an account may wait: dynamic thresholds (Choudhury and Hahne, 1998). One account alone gets seven
 * eighths of the places, two get equal parts that leave a fifteenth free; an account without waiting tasks always gets a place.
 * @param own waiting tasks of the account
 * @param all waiting tasks of all accounts
 * @param places maximum number of waiting tasks
 */
export const mayWait = (own: number, all: number, places: number): boolean => own < TIMES_THE_FREE * (places - all)
