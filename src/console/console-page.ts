/** What the pages of the console read from, and what each of them is asked. */
import type { ActPorts as OperatorPorts } from '../acts/act.ts';
import type { JudgeQuestion } from '../activity/judge-stored.ts';
import type { RecentRequests } from '../activity/recent-requests.ts';
import type { StayJudgement } from '../activity/unmet-causes.ts';
import type { Locale } from '../domain/property.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import type { Readiness } from '../runtime/readiness.ts';
import type { AdministeredStores } from '../storage/administered.ts';
import type { Storage } from '../storage/storage.ts';
import type { ImportDesk, ImportList } from './import-state.ts';
import type { Kept, KeptDays } from './kept.ts';
import type { PartnerCatalogue, PartnerView } from './partner-view.ts';
import type { PropertyNames } from './property-names.ts';
import type { PropertyTable } from './property-table.ts';
import type { DoctorRow, SettingRow } from './setting-rows.ts';
import type { SourceAges } from './sources.ts';

/** What pages ask of the thread that serves partners: what is in its memory alone. */
export interface ServingPorts {
  /** Of the whole machine. */
  readonly readiness: () => Promise<Readiness>;
  readonly findRecent: RecentRequests['find'];
  readonly findNames: PropertyNames['find'];
  readonly prepareNames: PropertyNames['prepare'];
  readonly findSeenProperty: PartnerView['findProperty'];
  readonly findSeenCities: PartnerView['findCities'];
}

/** What the pages read from: on a thread of their own. */
export interface PagePorts {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly readiness: ServingPorts['readiness'];
  /** Nights from today that can be offered. */
  readonly horizonNights: number;
  readonly names: PropertyNames;
  readonly propertyTable: PropertyTable;
  readonly sourceAges: SourceAges;
  readonly keptDays: KeptDays;
  readonly partnerView: PartnerView;
  readonly recentRequests: RecentRequests;
  readonly judgeStays: (question: JudgeQuestion) => Promise<readonly StayJudgement[]>;
  /** PUBLIC_URL */
  readonly publicUrl: string;
  /** WEB_IMAGES */
  readonly webImages: string | undefined;
  /** PARTNER_QUOTA */
  readonly partnerQuota: number;
  readonly settings: readonly SettingRow[];
  readonly doctor: Kept<readonly DoctorRow[]>;
  readonly imports: ImportList;
}

/** Stores a picture under a name of its content, below the folder of pictures. */
export type StorePicture = (
  bytes: Uint8Array,
) => Promise<
  | { readonly ok: true; readonly src: string; readonly width: number; readonly height: number }
  | { readonly ok: false; readonly reason: string }
>;

export interface PageQuestion {
  /** Decoded segments of the path by name of the path parameter. */
  readonly segments: Readonly<Record<string, string>>;
  /** Not checked: a page reads what it knows and takes a value that it can't read as absent. */
  readonly query: URLSearchParams;
  /** For JSON: as many rows as the command prints; a page shows fewer. */
  readonly isJson: boolean;
  /** Of names; for JSON that of the commands. */
  readonly locale: Locale;
}

/** What a page shows. `rows` is its JSON: what the command that prints the same prints under `--json`. */
export interface ShownRows {
  readonly rows: unknown;
  /** Where the rows behind these are, from the root: also in the `Link` header of the JSON. */
  readonly nextPath?: string | undefined;
}

/** What the page of this `read` shows, where it is there. */
export type ShownBy<Read extends (...asked: never[]) => Promise<unknown>> = NonNullable<
  Awaited<ReturnType<Read>>
>;

/** Of rows that were read with one more: those of the page, and the last of them where there are others behind. */
export function firstPage<Row>(rows: readonly Row[], rowsMax: number) {
  const page = rows.slice(0, rowsMax);
  return { page, last: rows.length > rowsMax ? page.at(-1) : undefined };
}

export interface ActPorts extends Pick<
  PagePorts,
  'storage' | 'clock' | 'horizonNights' | 'recentRequests' | 'partnerQuota' | 'webImages'
> {
  readonly random: Random;
  /** BOOKING_ORIGINS */
  readonly bookingOrigins: readonly string[];
  /** Undefined: there is no folder of pictures. */
  readonly storePicture: StorePicture | undefined;
  /** Of the rows of `acts/`. */
  readonly acts: OperatorPorts;
  readonly catalogue: PartnerCatalogue;
  readonly imports: ImportDesk;
  /** What is changed through it is in the audit trail, with the person and the act. */
  readonly signed: AdministeredStores;
}

export interface ActQuestion extends PageQuestion {
  readonly form: URLSearchParams;
  readonly file?: Uint8Array | undefined;
}

type Query = Readonly<Record<string, string>>;

/** What is wrong with one field of a form, by the name of the field. */
export interface Mistake {
  readonly field: string;
  /** A sentence of the command. Undefined: somebody has changed the value meanwhile, to `now`. */
  readonly reason?: string;
  readonly now?: string;
}

/** What came of a form. */
export type ActOutcome<Shown = undefined> =
  /** Goes to `path`, or back to the page of the form, with a query of its own: `did=close`. JSON is the `view`. */
  | { readonly kind: 'done'; readonly query?: Query; readonly path?: string; readonly view?: unknown }
  /** A page of its own, such as one with a token that is shown once. */
  | {
      readonly kind: 'shown';
      readonly shown: Shown;
      /** It is the form again: what was sent is refused. */
      readonly isRefused?: true;
    }
  /** One sentence that says what to do, or what is wrong field by field. */
  | { readonly kind: 'refused'; readonly problem: string; readonly mistakes?: readonly Mistake[] };

/** Undefined: what the act is about does not exist. */
export type Acted<Shown = undefined> = Promise<ActOutcome<Shown> | undefined>;

export function refused(problem: string, mistakes: readonly Mistake[] = []): ActOutcome<never> {
  return { kind: 'refused', problem, mistakes };
}
