/** Writes `openapi.json` and `openapi-extras.json` at the repository root. Run it after changing the operations. */
import { writeFileSync } from 'node:fs';
import {
  buildExtrasOpenApi,
  buildOpenApi,
  COMMITTED_SETTINGS,
  formatOpenApi,
} from '../src/contract/openapi/openapi.ts';

const root = new URL('../', import.meta.url);
writeFileSync(new URL('openapi.json', root), formatOpenApi(buildOpenApi(COMMITTED_SETTINGS)));
writeFileSync(new URL('openapi-extras.json', root), formatOpenApi(buildExtrasOpenApi(COMMITTED_SETTINGS)));
