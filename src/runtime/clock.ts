/** Unix milliseconds. Injected wherever time decides anything, so that tests choose it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();
