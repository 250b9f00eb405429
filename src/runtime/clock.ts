/** Unix milliseconds. Injected, so that tests choose the time. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

const UPTIME_OFFSET_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** Monotonic milliseconds, equal in all threads, unlike the wall clock. */
export const machineUptime: Clock = () => performance.now() + UPTIME_OFFSET_MS;
