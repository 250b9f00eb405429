/**
 * A page of the console as a row: its path, what it reads, how it looks, and its forms. The folder of a page exports
 * its rows; `console/http/console-routes.ts` lists them.
 */
import { type ActFormOptions, type ActShown, runForm } from '../reading/act-forms.ts';
import type { ConsoleActName } from '../reading/console-forms.ts';
import type {
  Acted,
  ActPorts,
  ActQuestion,
  FileFormLimits,
  PagePreview,
  PagePorts,
  PageQuestion,
  ShownRows,
} from '../reading/console-page.ts';
import { actShownPage } from './act-form.ts';
import type { PageView } from './elements.ts';
import type { PageParts, TypedText } from './frame.ts';

/** A page of the console; viewers can read every page. */
export interface ConsolePage<Shown extends ShownRows = ShownRows> {
  /** Template from the root: `/console/partners/{partnerId}`. */
  readonly path: string;
  /** `data-page`. */
  readonly page: string;
  readonly read: (ports: PagePorts, question: PageQuestion) => Promise<Shown | undefined>;
  readonly render: (view: PageView, shown: Shown, question: PageQuestion) => PageParts;
  readonly forms: readonly PageForm[];
}

/** A form of a page, sent by POST to its name after the path of the page. */
export interface PageForm<Shown = unknown> {
  readonly act: ConsoleActName;
  readonly run: (ports: ActPorts, question: ActQuestion) => Acted<Shown>;
  /** For an outcome that is shown: renders its page; `back` is the path of the page with the form. */
  readonly render?: (view: PageView, shown: Shown, back: string) => PageParts;
  /** The JSON of an outcome that is shown; the outcome itself unless given. */
  readonly answer?: (shown: Shown) => unknown;
  /** The preview of the traveller's page within an outcome. */
  readonly previewOf?: (shown: Shown) => PagePreview | undefined;
  /** Tells what a person typed, with its labels, where the names of its fields do not say it. */
  readonly typedOf?: (view: PageView, form: URLSearchParams) => readonly TypedText[];
  /** Limits of a form that is larger than others. */
  readonly largest?: FileFormLimits;
}

/** Pages of one property begin so. */
export const PROPERTY_PATH = '/console/properties/{propertyId}';

/** A row whose `render` accepts the result of its `read`. */
export function pageRow<Shown extends ShownRows>(
  name: string,
  path: string,
  read: ConsolePage<Shown>['read'],
  render: ConsolePage<Shown>['render'],
  forms: readonly PageForm[] = [],
): ConsolePage {
  return { page: name, path, read, render, forms } as unknown as ConsolePage;
}

/** The form of an act, as its row in `operator/acts/` has it. */
export function formRow(
  act: ConsoleActName,
  options: ActFormOptions = {},
  render: NonNullable<PageForm<ActShown>['render']> = actShownPage(act),
): PageForm {
  return ownFormRow({ act, run: runForm(act, options), render, answer: ({ view }) => view });
}

/** A form whose `render` accepts the outcome of its `run`. */
export function ownFormRow<Shown>(row: PageForm<Shown>): PageForm {
  return row as unknown as PageForm;
}
