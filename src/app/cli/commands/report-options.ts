/** Options of `traffic` and `demand`, as commander hands them over. */
import type { EpochDay } from '../../../domain/local-date.ts';
import type { DemandName } from '../../../storage/activity/store.ts';

export interface ReportOptions<Name extends string> {
  readonly from?: EpochDay;
  readonly to?: EpochDay;
  readonly partner?: string;
  readonly by?: readonly Name[];
  readonly limit: number;
  readonly csv?: true;
}

export interface DemandOptions extends ReportOptions<DemandName> {
  readonly city?: string;
  readonly country?: string;
  readonly unknown?: true;
  readonly unmet?: true;
}
