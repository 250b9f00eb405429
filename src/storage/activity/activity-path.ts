/** Where SQLite keeps what happened: beside the database. */
import { extname } from 'node:path';

/** `/srv/stayport.db` has `/srv/stayport-activity.db`. */
export function activityPathOf(path: string): string {
  const extension = extname(path);
  return `${path.slice(0, path.length - extension.length)}-activity${extension}`;
}
