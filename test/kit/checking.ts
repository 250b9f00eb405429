/** The environment in which tests run the program: it checks its own state as well (`src/runtime/assertions.ts`). */
export const CHECKING = { STAYPORT_CHECK: '1' };
