/** The object of an entry of the audit trail, from the text that the entry keeps of it. */
import type { AuditRow } from '../../../access/audit-trail.ts';
import { ID_PATTERN } from '../../../domain/property.ts';
import { pathOf } from '../../reading/paths.ts';
import type { NightsRow } from '../../reading/night-rows.ts';

export interface AuditSubject {
  /** For acts on a property, its types or their nights. */
  readonly propertyId?: string;
  readonly inventoryTypeId?: string;
  readonly nights?: NightsRow;
  /** Its page, from the root. */
  readonly path?: string;
  /** As the entry has it; empty where the sentence needs no object. */
  readonly text: string;
}

/** Acts of which the entry names the session: the sentence says who, and that is all. */
const WITHOUT_OBJECT: ReadonlySet<string> = new Set(['sign-in', 'sign-in again', 'sign-out', 'demo']);
const NIGHTS = /^([^\s/]+)(?:\/(\S+))? (\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)$/;
/** The first digits of a SHA-256 are enough to know a file again; the command prints all of them. */
const FILE_HASH = / ([0-9a-f]{8})[0-9a-f]{56}$/;
const NIGHT_ACTS: ReadonlySet<string> = new Set(['close', 'open', 'nights set']);
const TYPE_ACTS: ReadonlySet<string> = new Set(['ical subscribe', 'ical publish', 'ical unpublish']);

export function subjectOf({ act, on }: Pick<AuditRow, 'act' | 'on'>): AuditSubject {
  if (WITHOUT_OBJECT.has(act)) return { text: '' };
  if (NIGHT_ACTS.has(act)) {
    const [, propertyId = '', inventoryTypeId, dateFrom = '', dateTo = ''] = NIGHTS.exec(on) ?? [];
    if (propertyId !== '')
      return { ...ofProperty(propertyId, inventoryTypeId, on), nights: { dateFrom, dateTo } };
  }
  if (TYPE_ACTS.has(act)) {
    const [propertyId = '', inventoryTypeId] = on.split('/');
    return ofProperty(propertyId, inventoryTypeId, on);
  }
  if (act.startsWith('property ')) return ofProperty(on, undefined, on);
  if (act.startsWith('import ')) return { text: on.replace(FILE_HASH, ' $1…') };
  const folder = act.startsWith('partner ')
    ? 'partners'
    : act.startsWith('webhook ')
      ? 'webhooks'
      : act.startsWith('connection ') && act !== 'connection remove'
        ? 'connections'
        : undefined;
  return folder === undefined || !ID_PATTERN.test(on) ? { text: on } : { text: on, path: pathOf(folder, on) };
}

function ofProperty(propertyId: string, inventoryTypeId: string | undefined, text: string): AuditSubject {
  const path = pathOf('properties', propertyId);
  return { propertyId, path, text, ...(inventoryTypeId !== undefined && { inventoryTypeId }) };
}
