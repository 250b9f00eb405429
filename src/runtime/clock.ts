/** Unix milliseconds. Injected wherever time decides anything, so that tests choose it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

const UPTIME_OFFSET_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** Milliseconds that only ever grow, and are the same in all threads; not the wall clock, which may step. */
export const machineUptime: Clock = () => performance.now() + UPTIME_OFFSET_MS;
