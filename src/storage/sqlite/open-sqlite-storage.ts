import type { Clock } from '../../clock.ts';
import { type Storage, StorageUnavailable } from '../storage.ts';

export interface SqliteOptions {
  readonly path: string;
  readonly clock: Clock;
  /** Named bound of the file, in pages; a write beyond it is refused as on a full disk. */
  readonly pageCountMax?: number;
}

export async function openSqliteStorage(_options: SqliteOptions): Promise<Storage> {
  throw new StorageUnavailable('not written yet');
}
