/** The environment in which tests run the program. */
export const CHECKING = {
  /** It checks its own state as well (`src/runtime/assertions.ts`). */
  STAYPORT_CHECK: '1',
  /**
   * A setting of glibc: pieces of a MiB and more are mapped, and returned when they are freed. By default it keeps the
   * segments of a catalogue for the next one, and clears 16 MiB each time: half of the time of tests that build many.
   */
  MALLOC_MMAP_THRESHOLD_: String(2 ** 20),
};
