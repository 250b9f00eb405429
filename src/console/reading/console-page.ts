/** The ports that the console's pages read from, and the questions to them. */
import type { Told, Wrong } from '../../domain/wrong.ts';
import type { ActPorts as OperatorPorts } from '../../operator/acts/act.ts';
import type { SignedIn } from '../../access/console-sessions.ts';
import type { SettingRow } from '../../operator/acts/site-desk.ts';
import type { JudgeQuestion } from '../../operator/activity/judge-stored.ts';
import type { RecentRequests } from '../../operator/activity/recent-requests.ts';
import type { StayJudgement } from '../../operator/activity/unmet-causes.ts';
import type { HandoffReview } from '../../partner/quotes/check-handoff.ts';
import type { TestPicture } from '../../partner/sandbox/test-content.ts';
import type { SiteSettingChange } from '../../storage/site/store.ts';
import type { Locale } from '../../domain/property.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import type { Readiness } from '../../runtime/readiness.ts';
import type { AdministeredStores } from '../../storage/administered.ts';
import type { Storage } from '../../storage/storage.ts';
import type { ImportDesk, ImportList } from './import-state.ts';
import type { Cache, DayCache } from './cache.ts';
import type { OwnCalls } from './own-calls.ts';
import type { PartnerCatalogue, PartnerView } from './partner-view.ts';
import type { PropertyNames } from './property-names.ts';
import type { PropertyTable } from './property-table.ts';
import type { SourceAges } from './sources.ts';

/** The thread that serves partners answers these from its own memory. */
export interface ServingPorts {
  /** Readiness of the whole machine. */
  readonly readiness: () => Promise<Readiness>;
  readonly findRecent: RecentRequests['find'];
  readonly findNames: PropertyNames['find'];
  readonly prepareNames: PropertyNames['prepare'];
  readonly findSeenProperty: PartnerView['findProperty'];
  readonly findSeenCities: PartnerView['findCities'];
}

/** The ports of pages, on their own thread. */
export interface PagePorts {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly readiness: ServingPorts['readiness'];
  /** Nights for sale, counted from today. */
  readonly horizonNights: number;
  readonly names: Pick<PropertyNames, 'find' | 'prepare'>;
  readonly propertyTable: PropertyTable;
  readonly sourceAges: SourceAges;
  readonly dayCache: DayCache;
  readonly partnerView: PartnerView;
  readonly recentRequests: RecentRequests;
  readonly judgeStays: (question: JudgeQuestion) => Promise<readonly StayJudgement[]>;
  /** PUBLIC_URL */
  readonly publicUrl: string;
  /** PARTNER_QUOTA */
  readonly partnerQuota: number;
  /** All settings, as they are in force by now. */
  readonly settings: () => Promise<readonly SettingRow[]>;
  readonly doctor: Cache<readonly DoctorRow[]>;
  /** Every step of the set-up is done. */
  readonly isSetUp: Cache<boolean>;
  readonly imports: ImportList;
}

/** The result of one check, as `doctor` prints it; `told`: as codes, for a page in another language. */
export interface DoctorRow {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  readonly fix: string | null;
  readonly told: { readonly detail: Told; readonly fix: Told | null };
}

/** A picture that was stored, or why it was not. */
export type StoredPicture =
  | { readonly ok: true; readonly src: string; readonly width: number; readonly height: number }
  | {
      readonly ok: false;
      /** Goes on after the picture. */
      readonly reason: Wrong;
      /** Only not now: it can be sent again as it is. */
      readonly isLater?: boolean;
    };

/** `name`: of the file, as its sender called it. */
export type UploadedPicture = StoredPicture & { readonly name: string };

/**
 * Stores a picture in the folder of pictures, named by its content. It takes the memory of the bytes over: nothing else
 * may use their buffer.
 */
export type StorePicture = (bytes: Uint8Array<ArrayBuffer>) => Promise<StoredPicture>;

export interface PageQuestion {
  /** Decoded segments of the path by name of the path parameter. */
  readonly segments: Readonly<Record<string, string>>;
  /** Unvalidated: a page reads the parameters that it knows, and ignores values that it cannot read. */
  readonly query: URLSearchParams;
  /** JSON has as many rows as the command prints; a page shows fewer. */
  readonly isJson: boolean;
  /** Language of names; for JSON, that of the commands. */
  readonly locale: Locale;
  /** Undefined outside a session. */
  readonly person?: AskingPerson | undefined;
}

export type AskingPerson = Pick<SignedIn, 'sessionId' | 'name' | 'role'>;

/** The content of a page. `rows` is its JSON, equal to the output of the corresponding command under `--json`. */
export interface ShownRows {
  readonly rows: unknown;
  /** Path to the next rows, from the root; also in the `Link` header of the JSON. */
  readonly nextPath?: string | undefined;
}

/** The content of the page of this `read`, if it exists. */
export type ShownBy<Read extends (...asked: never[]) => Promise<unknown>> = NonNullable<
  Awaited<ReturnType<Read>>
>;

/** Splits rows that were read with one extra: those of the page, and its last row if more follow. */
export function firstPage<Row>(rows: readonly Row[], rowsMax: number) {
  const page = rows.slice(0, rowsMax);
  return { page, last: rows.length > rowsMax ? page.at(-1) : undefined };
}

export interface ActPorts extends Pick<
  PagePorts,
  'storage' | 'clock' | 'horizonNights' | 'recentRequests' | 'partnerQuota'
> {
  readonly random: Random;
  /** BOOKING_ORIGINS */
  readonly bookingOrigins: readonly string[];
  readonly storePicture: StorePicture;
  /** The picture of properties of the sandbox, with its content as its address. */
  readonly samplePicture: TestPicture;
  readonly findNamed: PropertyNames['findNamed'];
  readonly ownCalls: OwnCalls;
  readonly acts: OperatorPorts;
  readonly catalogue: PartnerCatalogue;
  readonly imports: ImportDesk;
  /** Changes through these stores are recorded in the audit trail, with the person and the act. */
  readonly signed: AdministeredStores;
}

export interface ActQuestion extends PageQuestion {
  readonly form: URLSearchParams;
  /** Pictures that came with the form. */
  readonly pictures?: readonly UploadedPicture[] | undefined;
  /** The file of a form that hands it over as it came. */
  readonly file?: Uint8Array | undefined;
}

/** A form that is larger than others, and may send pictures, which are stored, or one file for its act. */
export interface FileFormLimits {
  /** All fields together, without files. */
  readonly textBytesMax: number;
  readonly filesMax: number;
  /** Whether there is more in it than may ever be stored, so that it is not even shown again. */
  readonly hasTooMany?: (form: URLSearchParams) => boolean;
  /** The file is for the act, and has so many bytes at most. Absent: files are pictures. */
  readonly actFileBytesMax?: number;
}

/** The traveller's page as a form would have it. */
export interface PagePreview {
  readonly review: HandoffReview;
  /** Settings of the site as they would be stored; undefined: as they are. */
  readonly site?: readonly SiteSettingChange[];
}

type Query = Readonly<Record<string, string>>;

export interface Mistake {
  readonly field: string;
  /** Undefined: another person has changed the value to `now` meanwhile. */
  readonly reason?: Told;
  readonly now?: string;
}

export type ActOutcome<Shown = undefined> =
  /** Goes to `path`, or back to the page of the form, with its own query such as `did=close`. JSON is the `view`. */
  | { readonly kind: 'done'; readonly query?: Query; readonly path?: string; readonly view?: unknown }
  /** A page for this outcome, such as one with a token that is shown once. */
  | {
      readonly kind: 'shown';
      readonly shown: Shown;
      /** The page is the form again: what was sent is refused. */
      readonly isRefused?: true;
    }
  /** One reason, or the errors field by field. */
  | { readonly kind: 'refused'; readonly problem: Wrong | undefined; readonly mistakes?: readonly Mistake[] };

/** Undefined: the subject of the act does not exist. */
export type Acted<Shown = undefined> = Promise<ActOutcome<Shown> | undefined>;

export function refused(problem: Wrong | undefined, mistakes: readonly Mistake[] = []): ActOutcome<never> {
  return { kind: 'refused', problem, mistakes };
}
