/** Failures in a row after which nothing is asked for a while. */
const IN_A_ROW = 5;
const PAUSE_MILLISECONDS = 60_000;
/** Pauses after which nothing is asked any more. */
const PAUSES = 3;

/** Keeps a server that fails from being asked again and again. */
export interface Breaker {
  /** Milliseconds to wait before the next question; `undefined` when nothing may be asked any more. */
  pause(): number | undefined;
  /** After each question: whether the server did its part. */
  tell(went: 'well' | 'wrong'): void;
  /** Nothing more is asked. */
  end(): void;
}

/**
 * Five failures in a row pause for a minute, then the next questions decide: an answer closes the breaker, another failure
 * pauses again. After three pauses nothing more is asked.
 * @param now Milliseconds of a clock that nobody sets.
 */
export function createBreaker(now: () => number): Breaker {
  let failures = 0;
  let pauses = 0;
  let openUntil = 0;
  let hasEnded = false;
  return {
    pause: () => (hasEnded ? undefined : Math.max(0, openUntil - now())),
    tell(went) {
      if (went === 'well') {
        failures = 0;
        pauses = 0;
        return;
      }
      failures++;
      // Those that were under way when it opened say nothing new.
      if (now() < openUntil || (pauses === 0 && failures < IN_A_ROW)) return;
      if (pauses === PAUSES) hasEnded = true;
      else {
        pauses++;
        openUntil = now() + PAUSE_MILLISECONDS;
      }
    },
    end() {
      hasEnded = true;
    },
  };
}
