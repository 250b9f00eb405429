import { describeLimits } from '../../test/suites/limits/limits-suite.ts';
import { createOwnLimits } from './own-limits.ts';

describeLimits('by the process itself', {
  async open(_context, windowSeconds) {
    const limits = createOwnLimits({ windowSeconds });
    return [limits, limits];
  },
});
