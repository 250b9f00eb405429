/** The forms of the console that change something. */
import type { Role } from '../../access/console-sessions.ts';
import type { AnyAct, NamedAct } from '../../operator/acts/act.ts';
import * as connections from '../../operator/acts/connection-acts.ts';
import * as credentials from '../../operator/acts/credential-acts.ts';
import * as ical from '../../operator/acts/ical-acts.ts';
import { deleteMappingAct, setMappingAct } from '../../operator/acts/mapping-acts.ts';
import { closeAct, openAct, setNightsAct } from '../../operator/acts/nights-acts.ts';
import { issueTokenAct, revokeTokenAct } from '../../operator/acts/operator-token-acts.ts';
import { createPartnerAct, updatePartnerAct } from '../../operator/acts/partner-acts.ts';
import { withdrawAct } from '../../operator/acts/property-acts.ts';
import { retireSourceAct } from '../../operator/acts/source-acts.ts';
import * as webhooks from '../../operator/acts/webhook-acts.ts';

/** A form: the row of its act, and the inputs that the page provides instead of the person. */
export interface FormOfAct {
  readonly role: Role;
  readonly command: string;
  /** Undefined: a form that only the console has. */
  readonly row?: AnyAct;
  readonly given?: readonly string[];
  /** It does its work once, however often it is sent: see `FORM_ID_FIELD`. */
  readonly isOnce?: true;
  /** The button in the note that the form was done; `mainAct`: that of the page that it leads to. */
  readonly next?: NextForm | 'mainAct';
}

/** A form without fields of a person, about what was just made: `field` names it in the answer and in the form. */
interface NextForm {
  readonly act: string;
  readonly field: string;
  /** The page of the form, from the root. */
  readonly path: string;
}

/** The hidden field that names this copy of the form, which no other page has. */
export const FORM_ID_FIELD = 'formId';
const FORM_ID = /^[\w-]{43}$/;

/** Precedes the names of fields with a secret of another system: no page and no answer ever sends them back. */
export const SECRET_FIELD_PREFIX = 'secret.';

/** The fields of the form but its secrets. */
export function withoutSecrets(form: URLSearchParams): readonly (readonly [name: string, value: string])[] {
  return [...form].filter(([name]) => !name.startsWith(SECRET_FIELD_PREFIX));
}

/** The name of the sent copy; undefined for a program, which names none. */
export function formIdOf(form: URLSearchParams): string | undefined {
  const text = form.get(FORM_ID_FIELD) ?? '';
  return FORM_ID.test(text) ? text : undefined;
}

/**
 * Forms by `data-act`, each sent to its name after the path of its page. Name, role and command are those of the act;
 * some have a shorter name.
 */
export const CONSOLE_FORMS = {
  'ask-again': { role: 'operator', command: 'ask-again' },
  // The token that is sent along is the right to call.
  'send-now': { role: 'operator', command: 'send-now' },
  'partner-create': { ...asForm(createPartnerAct), next: 'mainAct' },
  ...formOf(updatePartnerAct, 'partnerId', 'disable', 'enable'),
  issue: { ...asForm(credentials.issueCredentialAct, 'partnerId'), isOnce: true },
  ...formOf(credentials.updateCredentialAct),
  rotate: { ...asForm(credentials.rotateCredentialAct, 'credentialId'), isOnce: true },
  revoke: asForm(credentials.revokeCredentialAct, 'credentialId'),
  'token-issue': asForm(issueTokenAct),
  'token-revoke': asForm(revokeTokenAct, 'operatorTokenId'),
  close: asForm(closeAct, 'propertyId', 'dryRun'),
  open: asForm(openAct, 'propertyId', 'dryRun'),
  'nights-save': asForm(setNightsAct, 'propertyId', 'dryRun'),
  ...formOf(withdrawAct, 'propertyId'),
  accept: asForm(ical.acceptAct, 'feedId'),
  'feed-add': {
    ...asForm(ical.subscribeAct),
    next: { act: 'feed-test', field: 'feedId', path: '/console/supply' },
  },
  'feed-update': asForm(ical.updateFeedAct),
  'feed-test': asForm(ical.pollAct, 'feedId'),
  'feed-remove': asForm(ical.unsubscribeAct, 'feedId'),
  publish: asForm(ical.publishAct),
  unpublish: asForm(ical.unpublishAct, 'propertyId', 'inventoryTypeId'),
  ...formOf(setMappingAct),
  ...formOf(deleteMappingAct, 'source', 'externalKey'),
  ...formOf(retireSourceAct, 'source', 'dryRun'),
  ...formOf(connections.addConnectionAct, 'kind', 'keyFile', 'setting'),
  ...formOf(connections.connectionKeyAct, 'name', 'keyFile'),
  ...formOf(connections.updateConnectionAct, 'name', 'setting', 'allow', 'disallow'),
  ...formOf(connections.mapRoomsAct, 'name', 'suggested', 'create', 'withoutPrices', 'dryRun'),
  'rooms-save': { role: 'admin', command: 'connection map' },
  ...formOf(connections.offerConnectionAct, 'name'),
  ...formOf(connections.removeConnectionAct, 'name', 'dryRun'),
  ...formOf(connections.readConnectionAct, 'name'),
  ...formOf(connections.acceptConnectionAct, 'name'),
  ...formOf(connections.compareConnectionAct, 'name', 'stays', 'seed'),
  ...formOf(webhooks.createWebhookAct, 'partnerId'),
  ...formOf(webhooks.testWebhookAct, 'webhookId'),
  ...formOf(webhooks.rotateWebhookAct, 'webhookId'),
  ...formOf(webhooks.disableWebhookAct, 'webhookId'),
  ...formOf(webhooks.enableWebhookAct, 'webhookId'),
  ...formOf(webhooks.updateWebhookAct, 'webhookId'),
  ...formOf(webhooks.deleteWebhookAct, 'webhookId'),
  ...formOf(webhooks.endOldKeysAct, 'webhookId'),
  ...formOf(webhooks.replayDeliveryAct, 'deliveryId'),
  'import-catalogue': { role: 'operator', command: 'import catalogue' },
  'import-rates': { role: 'operator', command: 'import rates' },
  'property-save': { role: 'operator', command: 'property save' },
  'settings-save': { role: 'admin', command: 'settings set' },
  'pictures-match': { role: 'operator', command: 'property save' },
  'pictures-save': { role: 'operator', command: 'property save' },
} as const satisfies Readonly<Record<string, FormOfAct>>;

/** The words of a command as the name of its form: `webhook create` is `webhook-create`. */
type FormName<Command extends string> = Command extends `${infer First} ${infer Rest}`
  ? `${First}-${FormName<Rest>}`
  : Command;

/** A form with the name of its act. */
function formOf<const Command extends string>(row: NamedAct<Command>, ...given: readonly string[]) {
  const name = row.name.replaceAll(' ', '-');
  return { [name]: asForm(row, ...given) } as Readonly<Record<FormName<Command>, FormOfAct>>;
}

/** A form with a name of its own. */
function asForm(row: AnyAct, ...given: readonly string[]): FormOfAct {
  return { role: row.right, command: row.name, row, given };
}

export type ConsoleActName = keyof typeof CONSOLE_FORMS;
/** Forms for every role are not among `CONSOLE_FORMS`. */
export type ActName = ConsoleActName | 'sign-in' | 'sign-out' | 'session-end' | PasskeyActName;
/** Ceremonies of a passkey, and its end. */
export type PasskeyActName = 'sign-in-passkey' | 'sign-in-again' | 'passkey-register' | 'passkey-end';
