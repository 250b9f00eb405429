/** Writes `openapi.json` at the repository root from the table of operations. Run it after changing the contract. */
import { writeFileSync } from 'node:fs';
import { buildOpenApi, COMMITTED_SETTINGS, formatOpenApi } from '../src/contract/openapi/openapi.ts';

const target = new URL('../openapi.json', import.meta.url);
writeFileSync(target, formatOpenApi(buildOpenApi(COMMITTED_SETTINGS)));
