/** The program's name in the database, in its log and in messages to operators. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const packageFile = join(import.meta.dirname, '..', '..', 'package.json');

/** Such as `1.0.0`, or `1.0.0-beta.1` before it. */
export const RELEASE: string = JSON.parse(readFileSync(packageFile, 'utf8')).version;
