/** Loaded before a test file: it runs with one mistake in the source, whose name `MISTAKE` says. */
import { plant } from '../../simulation/mistakes.ts';

plant(process.env['MISTAKE']!);
