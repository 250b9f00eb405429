/**
 * Holds the write lock of the database in argv[2] until its standard input ends. Says `locked` when it has it.
 */
import { DatabaseSync } from 'node:sqlite';

const database = new DatabaseSync(String(process.argv[2]), { timeout: 5_000 });
database.exec('BEGIN IMMEDIATE');
process.stdout.write('locked\n');
process.stdin.resume().on('end', () => {
  database.exec('ROLLBACK');
  database.close();
});
