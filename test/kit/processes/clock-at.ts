/** Preloaded into a service, in each of its threads: its wall clock is CLOCK_OFFSET_MS ahead of the machine's. */
const now = Date.now;
const offsetMs = Number(process.env['CLOCK_OFFSET_MS']);
Date.now = () => now() + offsetMs;
