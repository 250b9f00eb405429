/** Stories that failed once, by what was wrong; the services were corrected. */
import type { Step, StepKind, Story } from './story.ts';

type Row = readonly [atMs: number, kind: StepKind, ...numbers: Step['numbers']];

function story(
  seed: number,
  engine: Story['engine'],
  readers: readonly number[],
  rows: readonly Row[],
): Story {
  const steps = rows.map(([atMs, kind, ...numbers]) => ({ atMs, kind, numbers }));
  return { seed, engine, hasRedis: false, readers, steps, pace: 1, quietMs: 0 };
}

export const FAILED_ONCE: Readonly<Record<string, Story>> = {
  'a partner was told that what was hidden before it was created is gone': story(
    5000382,
    'PostgreSQL',
    [1],
    [
      [583, 'slowCatalogue', 414225, 623479, 946198, 1006841],
      [794, 'document', 1031337, 288968, 385744, 572282],
      [808, 'document', 121413, 347957, 989163, 807267],
      [1078, 'create', 317262, 680783, 546906, 42351],
      [1179, 'follow', 344132, 788750, 387098, 997533],
    ],
  ),
  'a partner was not told that what it had seen in memory older than itself is gone': story(
    5004758,
    'SQLite',
    [1],
    [
      [53, 'document', 627189, 385173, 364223, 779901],
      [149, 'jump', 93872, 908728, 527870, 618055],
      [221, 'follow', 199944, 311688, 984900, 786498],
      [294, 'follow', 1019705, 656187, 665421, 716324],
      [355, 'foreignCursor', 960869, 741960, 822244, 24723],
      [575, 'calendar', 969255, 866440, 233599, 906800],
      [646, 'document', 463211, 64961, 470906, 447144],
      [735, 'document', 235167, 382139, 827916, 160092],
      [813, 'create', 1037067, 581715, 73708, 102588],
      [833, 'slowCatalogue', 634024, 240672, 1020943, 270204],
      [950, 'follow', 869848, 766437, 706094, 17630],
    ],
  ),
  'a restore between the look for a partner and its new credential left a credential that stopped all access':
    story(
      5000639,
      'PostgreSQL',
      [1],
      [
        [49, 'search', 1035452, 487727, 368806, 894001],
        [75, 'slow', 492785, 26821, 728983, 418489],
        [82, 'follow', 874177, 847854, 316956, 847973],
        [139, 'search', 297712, 717515, 278298, 384117],
        [227, 'calendar', 592943, 62465, 748756, 940239],
        [250, 'document', 718427, 393427, 859918, 97816],
        [338, 'calendar', 694563, 779689, 682168, 350588],
        [357, 'quote', 906547, 236309, 629955, 516346],
        [445, 'create', 385609, 236479, 795394, 398016],
        [533, 'quote', 569324, 33071, 361412, 557581],
        [598, 'create', 27334, 218885, 532642, 95123],
        [603, 'quote', 200637, 446364, 416453, 897019],
        [647, 'follow', 783247, 884827, 731523, 471228],
        [691, 'quote', 738982, 488249, 627551, 655727],
        [712, 'withdraw', 739488, 60291, 363350, 351585],
        [719, 'document', 301100, 596660, 510765, 1037074],
        [780, 'backUp', 547186, 293028, 679681, 522232],
        [843, 'restore', 757528, 394129, 432991, 329223],
        [862, 'search', 366007, 170070, 557620, 31527],
        [892, 'document', 1047151, 1025785, 439311, 440782],
        [901, 'away', 65241, 831848, 159479, 73089],
        [939, 'backUp', 583552, 922749, 995012, 367094],
        [986, 'wait', 927483, 136639, 63625, 66919],
        [1071, 'document', 743986, 465545, 628325, 3796],
        [1087, 'calendar', 747645, 101707, 601763, 660523],
        [1174, 'revoke', 118084, 536702, 422345, 1019282],
      ],
    ),
  'changes were read before a standby took over, and told up to a revision that meant others there': story(
    1001055,
    'PostgreSQL',
    [1, 1, 1],
    [
      [61, 'follow', 788821, 946794, 316199, 452428],
      [81, 'document', 620636, 1005197, 50959, 250345],
      [175, 'follow', 962768, 300316, 283789, 273261],
      [361, 'calendar', 568100, 166128, 523587, 52063],
      [379, 'withdraw', 775944, 92139, 518962, 448502],
      [444, 'follow', 349733, 984000, 612498, 586043],
      [567, 'withdraw', 953978, 718605, 121235, 924425],
      [626, 'follow', 121016, 73332, 445662, 277091],
      [664, 'failOver', 400102, 832073, 116128, 102837],
      [803, 'document', 961677, 10269, 270234, 305385],
    ],
  ),
};
