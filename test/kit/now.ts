/** 20 November 2026, half past ten in the morning of UTC; what the clock of tests shows unless one moves it. */
export const NOW_MS = Date.parse('2026-11-20T10:30:00Z');
